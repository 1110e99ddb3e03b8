import type { BenchResult } from './bench-result.ts';
import { describeResult } from './describe-result.ts';

/** The median; for an even number, the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The median of several rounds, with all of them. */
export function ofRounds(rounds: readonly number[]): { readonly value: number; readonly rounds: readonly number[] } {
  return { value: median(rounds), rounds };
}

/** The medians of rounds in turns with those of a floor, their ratio, and all rounds. */
export function besideFloor(
  rounds: readonly number[],
  floorRounds: readonly number[],
): Required<Pick<BenchResult, 'value' | 'rounds' | 'floor' | 'floorRounds' | 'ratio'>> {
  const [value, floor] = [median(rounds), median(floorRounds)];
  return { value, floor, ratio: value / floor, rounds, floorRounds };
}

/** @param floor what the ratio is of, such as `a full import`. */
export function ratioBounds(
  ratio: number,
  { aim, limit }: { readonly aim: number; readonly limit: number },
  floor: string,
): Required<Pick<BenchResult, 'aim' | 'goal' | 'ok'>> {
  return {
    aim: { text: `≤ ${aim} ×`, isMet: ratio <= aim },
    goal: `≤ ${limit} × ${floor}`,
    ok: ratio <= limit,
  };
}

/** Bounds of what a value takes above its floor, both in milliseconds. @param floor what it is above. */
export function excessBounds(
  excess: number,
  { aim, limit }: { readonly aim: number; readonly limit: number },
  floor: string,
): Required<Pick<BenchResult, 'aim' | 'goal' | 'ok'>> {
  return {
    aim: { text: `≤ ${aim} ms more (${Math.round(excess)} ms more)`, isMet: excess <= aim },
    goal: `≤ ${limit} ms more than ${floor}`,
    ok: excess <= limit,
  };
}

/** Prints a line per result and sets the exit code for an exceeded limit, for a single bench file. */
export function printResults(results: readonly BenchResult[]): void {
  for (const result of results) console.log(describeResult(result));
  if (results.some((result) => !result.ok)) process.exitCode = 1;
}
