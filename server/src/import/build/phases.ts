import { type Lifecycle, lifecycles } from '../../../../protocol/lifecycles.ts';
import type { StagedElement } from './staged-element.ts';
import type { StagedTime } from './utc-time.ts';

/** The number of a lifecycle in the column `phase` of `ranked`; numbers are in the order of events at equal time. */
export function phaseOf(lifecycle: Lifecycle): number {
  return lifecycles.indexOf(lifecycle);
}

/** SQL that is true for events of a lifecycle in `ranked`. */
export function isPhaseSql(lifecycle: Lifecycle): string {
  return `phase = ${phaseOf(lifecycle)}`;
}

/** SQL of a value for each lifecycle, by the column `phase`. */
export function byPhaseSql(valueOf: (lifecycle: Lifecycle) => string): string {
  const cases = lifecycles.map((lifecycle) => `WHEN ${phaseOf(lifecycle)} THEN ${valueOf(lifecycle)}`);
  return `CASE phase ${cases.join(' ')} END`;
}

/** A time of the rows of an element, which gives an event of a lifecycle. */
export interface PhasedTime {
  readonly lifecycle: Lifecycle;
  readonly time: StagedTime;
  /** Its column in `rows_<n>`. `end` is a keyword. */
  readonly column: 'start' | 'change' | 'ended';
}

/** The times of an element, in the order of lifecycles. */
export function timesOfElement({ start, change, end }: StagedElement): readonly PhasedTime[] {
  return [
    { lifecycle: 'start', time: start, column: 'start' },
    ...(change ? [{ lifecycle: 'change', time: change, column: 'change' } as const] : []),
    ...(end ? [{ lifecycle: 'end', time: end, column: 'ended' } as const] : []),
  ];
}

/** Whether rows of an element can have events of the lifecycle `end`. */
export function hasEnds({ end, transition }: StagedElement): boolean {
  return end !== undefined || transition !== undefined;
}
