/** Offset of a zone from UTC at an instant, in milliseconds. */
export function zoneOffsets(timeZone: string): (instant: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    if (!isInstant(instant)) return 0;
    const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
    return name === 'GMT' ? 0 : offsetMilliseconds(name.slice('GMT'.length));
  };
}

/** The milliseconds of an offset such as `+02:00`, `-03` or `+00:53:28`. */
export function offsetMilliseconds(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/** Whether a number of milliseconds is within the range of `Date`. */
export function isInstant(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= 8.64e15;
}

/** A stretch of local times with one offset. */
export interface ZoneStep {
  /** Where it ends, exclusive, as local time in milliseconds; infinite for the last. */
  readonly until: number;
  /** From UTC, in milliseconds. */
  readonly offset: number;
}

/**
 * The offsets of local times from 1900 to 2100, of which those before and after have the first and the last. In a gap and
 * in an overlap the offset before the change holds (docs/semantics.md#82-times-without-zone).
 */
export function zoneSteps(timeZone: string): readonly ZoneStep[] {
  const steps = knownSteps.get(timeZone) ?? findSteps(timeZone);
  knownSteps.set(timeZone, steps);
  return steps;
}

/** Finding them takes a tenth of a second, and every query asks. */
const knownSteps = new Map<string, readonly ZoneStep[]>();

function findSteps(timeZone: string): readonly ZoneStep[] {
  const offsetAt = zoneOffsets(timeZone);
  const steps: ZoneStep[] = [];
  const end = Date.UTC(2100, 0);
  let offset = offsetAt(Date.UTC(1900, 0));
  for (let at = Date.UTC(1900, 0); at < end; at += shortest) {
    if (offsetAt(at + shortest) === offset) continue;
    let [before, after] = [at, at + shortest];
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000;
      if (offsetAt(middle) === offset) before = middle;
      else after = middle;
    }
    const next = offsetAt(after);
    steps.push({ until: after + Math.max(offset, next), offset });
    offset = next;
    at = after - shortest;
  }
  return [...steps, { until: Infinity, offset }];
}

/** No zone has changed its clocks twice within this time. */
const shortest = 10 * 86_400_000;
