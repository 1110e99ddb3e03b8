import { type ZoneStep, zoneSteps } from '../../model/zone-offsets.ts';

/**
 * SQL of the seconds by which a local time is ahead of UTC, for engines without time zones: a binary search.
 * @param isBefore SQL that is true for local times before one, given as `2024-10-27 03:00:00`
 */
export function offsetByTime(timeZone: string, isBefore: (time: string) => string): string {
  const search = (steps: readonly ZoneStep[]): string => {
    const [first, ...others] = steps;
    if (!first || others.length === 0) return String((first?.offset ?? 0) / 1000);
    const middle = Math.floor(steps.length / 2);
    const until = new Date(steps[middle - 1]?.until ?? 0).toISOString().slice(0, 19).replace('T', ' ');
    return `CASE WHEN ${isBefore(until)} THEN ${search(steps.slice(0, middle))} ELSE ${search(steps.slice(middle))} END`;
  };
  return `(${search(zoneSteps(timeZone))})`;
}
