import type { BenchResult } from './bench-result.ts';

/** The median; for an even number, the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Prints a line per result and sets the exit code for a missed goal, for a single bench file. */
export function printResults(results: readonly BenchResult[]): void {
  for (const { name, value, unit, floor, ratio, goal, ok } of results) {
    const against = floor === undefined ? '' : ` (floor ${floor.toFixed(2)} ${unit}, × ${ratio?.toFixed(2)})`;
    console.log(`${ok ? 'ok' : 'MISSED'}  ${name}: ${value.toFixed(2)} ${unit}${against}; goal ${goal}`);
  }
  if (results.some((result) => !result.ok)) process.exitCode = 1;
}
