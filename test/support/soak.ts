import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import type { AsyncFunc, Context, Func, RootHookObject } from 'mocha';
import { randomOf } from './random.ts';

/** What `scripts/soak.mjs` wants of one test file. */
interface Soak {
  /** Wanted number of cases. */
  readonly cases: number;
  /** Of all that is random. */
  readonly seed: number;
  /** Time limit of the file; none: until all cases are done. */
  readonly seconds?: number;
  /** Title of the tests that run, of all if empty. */
  readonly title: string;
}

const soak = JSON.parse(process.env['ENTITY_GRAPH_SOAK'] ?? 'null') as Soak | null;

/** Whether the test runs in `npm run soak`, without its time limit. */
export const isSoak = soak !== null;

/** Whether the soak has a time limit, so that very long cases are smaller. */
export const isShortSoak = soak?.seconds !== undefined;

/** The seed of random cases: the same in every `npm test`, another in each soak. */
export const soakSeed = (ordinary = 1): number => soak?.seed ?? ordinary;

/**
 * Number of cases: `ordinary` in `npm test`.
 * @param share this test's share of the soak's cases, if several tests of the file have some.
 */
export function soakCases(ordinary: number, share = 1): number {
  return soak === null ? ordinary : Math.max(1, Math.ceil(soak.cases * share));
}

/** The seeds of the cases, until there are enough, or the time of the test is over; at least one. */
export function* soakSeeds(ordinary: number, share = 1): Generator<number> {
  const first = soakSeed();
  const cases = soakCases(ordinary, share);
  for (let index = 0; index < cases && (index === 0 || hasSoakTime()); index += 1) yield first + index;
}

/** Settings of fast-check for a property that is not asynchronous. */
export function soakRuns(ordinary: number, share = 1) {
  const limit = soak?.seconds === undefined ? {} : { interruptAfterTimeLimit: Math.max(1000, until - Date.now()) };
  return { numRuns: soakCases(ordinary, share), seed: soakSeed(), ...limit };
}

/**
 * Asserts an asynchronous property, and counts its cases. One at a time in the soak: fast-check would not wait for a
 * case that it interrupts.
 */
export async function soakAssert<T>(property: fc.IAsyncProperty<T>, ordinary: number, share = 1): Promise<void> {
  if (soak === null) return fc.assert(property, { numRuns: ordinary, seed: soakSeed(), endOnFailure: true });
  for (const seed of soakSeeds(ordinary, share)) {
    await fc.assert(property, { numRuns: 1, seed, endOnFailure: true });
    countSoak();
  }
}

/**
 * Tries a property once in `npm test`, and repeatedly in the soak until there are enough cases.
 * @param run returns its number of cases.
 */
export function soakProperty(
  ordinary: number,
  run: (settings: { readonly numRuns: number; readonly seed: number }) => number,
): void {
  let [tried, seed] = [0, soakSeed()];
  do {
    tried += run({ numRuns: soak === null ? ordinary : 200, seed });
    seed += 1;
  } while (tried < (soak?.cases ?? 0) && hasSoakTime());
  countSoak(tried);
}

/** Part of a list of cases: `few` in `npm test`, all in the soak, in random order because its time may not suffice. */
export function soakList<T>(all: readonly T[], few: readonly T[]): readonly T[] {
  if (soak === null) return few;
  const random = randomOf(soak.seed);
  return all
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** Counts cases for the table of `npm run soak`. No effect in `npm test`. */
export function countSoak(tried = 1): void {
  const file = process.env['ENTITY_GRAPH_SOAK_COUNTS'];
  if (file !== undefined) appendFileSync(file, `${tried}\n`);
}

/** A test of the soak only: `npm test` has another case of its kind. */
export function soakIt(title: string, run: Func | AsyncFunc): void {
  if (isSoak) it(title, run);
}

/** When the time of the running test is over. */
let until = Infinity;

/** Whether the test may begin another case. */
export const hasSoakTime = (): boolean => Date.now() < until;

/** mocha loads them in a soak with a time limit: they give each test an equal part of the time that is left. */
export const mochaHooks = ((): RootHookObject => {
  if (soak?.seconds === undefined) return {};
  const milliseconds = soak.seconds * 1000;
  let [end, testsLeft] = [Infinity, 0];
  return {
    beforeAll(this: Context) {
      end = Date.now() + milliseconds;
      this.test?.parent?.eachTest((test) => {
        if (test.fullTitle().includes(soak.title)) testsLeft += 1;
      });
    },
    beforeEach(this: Context) {
      const left = end - Date.now();
      if (left <= 0) this.skip();
      until = Date.now() + left / testsLeft;
      testsLeft -= 1;
    },
  };
})();
