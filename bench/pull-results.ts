import type { BenchResult } from './bench-result.ts';
import { median } from './measure.ts';
import { duckDbMegabytes, type PullMeasurement } from './postgresql-pull-order.ts';

/** The duration of a pull against its floor, measured in turns. */
export function durationOf(
  name: string,
  pulls: readonly PullMeasurement[],
  floors: readonly number[],
  [most, what]: readonly [most: number, what: string],
): BenchResult {
  const [value, floor] = [median(pulls.map(({ seconds }) => seconds)), median(floors)];
  return {
    name,
    value,
    unit: 's',
    floor,
    ratio: value / floor,
    goal: `≤ ${most} × ${what}`,
    ok: value <= most * floor,
  };
}

/** Peaks of memory with five times as many rows. */
export function memoryOf(
  name: string,
  small: readonly PullMeasurement[],
  large: PullMeasurement,
): readonly BenchResult[] {
  const node = median(small.map(({ nodeMegabytes }) => nodeMegabytes));
  const resident = median(small.map(({ residentMegabytes }) => residentMegabytes));
  return [
    {
      name: `${name}, peak of JavaScript heap and buffers with five times as many rows`,
      ...{ value: large.nodeMegabytes, unit: 'MB', floor: node, ratio: large.nodeMegabytes / node },
      goal: '≤ 1.25 × that of the smaller table',
      ok: large.nodeMegabytes <= 1.25 * node,
    },
    {
      name: `${name}, peak resident memory with five times as many rows`,
      ...{ value: large.residentMegabytes, unit: 'MB', floor: resident, ratio: large.residentMegabytes / resident },
      goal: `≤ that of the smaller table and the ${duckDbMegabytes} MB that DuckDB may use`,
      ok: large.residentMegabytes <= resident + duckDbMegabytes,
    },
  ];
}
