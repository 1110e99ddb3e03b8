import { posix } from 'node:path';

/**
 * Processor time for which tests are selected: two minutes on two processors, less what linters and the start of
 * programs take.
 */
export const usualBudget = 160;

/** Seconds of test files that were never measured. */
const guess = (test) => (test.startsWith('test/e2e/') ? 20 : test.startsWith('test/unit/') ? 1 : 5);

/**
 * Leaves out the least special callers when a selection would take too long, as for a rule, which every test that opens a
 * document calls: those first that call most other sources. Tests that changed or are not recorded stay.
 * @param {Map<string, string>} tests by why they run, as `selectTests` gives them
 * @param {{
 *   record: Map<string, ReadonlySet<string>>,
 *   secondsOf?: (test: string) => number | undefined,
 *   budget?: number,
 * }} options `secondsOf` tells measured processor times
 * @returns {{ tests: Map<string, string>, leftOut: readonly string[] }}
 */
export function fitSelection(tests, { record, secondsOf = () => undefined, budget = usualBudget }) {
  const sizeOf = (test) => (record.get(test) ?? record.get(posix.dirname(test)))?.size ?? 0;
  const isKept = ([, why]) => !why.startsWith('calls ');
  const kept = [...tests].filter(isKept);
  const callers = [...tests].filter((entry) => !isKept(entry)).sort(([left], [right]) => sizeOf(left) - sizeOf(right));
  const secondsFor = ([test]) => secondsOf(test) ?? guess(test);
  let seconds = kept.reduce((sum, entry) => sum + secondsFor(entry), 0);
  const fitting = callers.filter((entry) => {
    seconds += secondsFor(entry);
    return seconds <= budget;
  });
  const leftOut = callers.filter((entry) => !fitting.includes(entry)).map(([test]) => test);
  return { tests: new Map([...kept, ...fitting]), leftOut };
}
