import type { BenchResult } from './bench-result.ts';
import { besideFloor, median } from './measure.ts';
import { type PullMeasurement, tightMegabytes } from './postgresql-pull-order.ts';

/** The duration of a pull against its floor, measured in turns. */
export function durationOf(
  name: string,
  pulls: readonly PullMeasurement[],
  floors: readonly number[],
  [most, what]: readonly [most: number, what: string],
): BenchResult {
  const compared = comparedDuration(name, pulls, floors);
  return { ...compared, goal: `≤ ${most} × ${what}`, ok: (compared.ratio ?? Number.NaN) <= most };
}

/** The same without a goal. */
export function comparedDuration(
  name: string,
  pulls: readonly PullMeasurement[],
  floors: readonly number[],
): BenchResult {
  const seconds = pulls.map((pull) => pull.seconds);
  return { name, unit: 's', ...besideFloor(seconds, floors), goal: 'no goal', ok: true };
}

/** Most that a peak of memory may grow with the rows. */
export const mostGrowth = 1.25;

/**
 * Peaks of memory with several times as many rows. All are measured with a limit of DuckDB that the smaller table fills,
 * too: with a higher one, memory grows up to that limit.
 */
export function memoryOf(
  name: string,
  small: readonly PullMeasurement[],
  large: PullMeasurement,
  times: number,
): readonly BenchResult[] {
  const result = (what: string, megabytes: (measurement: PullMeasurement) => number): BenchResult => {
    const [value, floorRounds] = [megabytes(large), small.map(megabytes)];
    const floor = median(floorRounds);
    return {
      name: `${name}, peak of ${what} with ${times} times as many rows`,
      ...{ value, unit: 'MB', floor, ratio: value / floor, floorRounds },
      goal: `≤ ${mostGrowth} × that of the smaller table`,
      ok: value <= mostGrowth * floor,
    };
  };
  return [
    result('JavaScript heap and buffers', ({ nodeMegabytes }) => nodeMegabytes),
    result(`resident memory, DuckDB limited to ${tightMegabytes} MB,`, ({ residentMegabytes }) => residentMegabytes),
  ];
}
