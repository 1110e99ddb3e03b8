/**
 * Runs the tests that call the changed function, unit tests together and first, until one fails.
 * @param {import('./make-mutants.mjs').Mutant} mutant
 * @param {readonly string[]} tests in the order in which they run
 * @param {ReturnType<import('./mutated-copy.mjs').mutatedCopy>} copy
 * @param {Map<string, boolean>} sound whether tests pass without a change, as far as that was tried
 * @returns {Promise<{ outcome: 'killed' | 'survived' | 'timed out' | 'not built', by?: string }>}
 */
export async function judgeMutant(mutant, tests, copy, sound) {
  const units = tests.filter((test) => test.startsWith('test/unit/'));
  const rest = tests.filter((test) => !units.includes(test));
  for (const batch of [...(units.length > 0 ? [units] : []), ...rest.map((test) => [test])]) {
    copy.change(mutant);
    const { result, failure } = await copy.test(batch);
    if (result === 'not built') return { outcome: 'not built' };
    if (result === 'passed') continue;
    // A test that always fails here, as for want of a program, shows nothing.
    const name = batch.join(' ');
    if (!sound.has(name)) {
      copy.restore();
      sound.set(name, (await copy.test(batch)).result === 'passed');
    }
    if (!sound.get(name)) continue;
    return { outcome: result === 'timed out' ? 'timed out' : 'killed', by: failure };
  }
  return { outcome: 'survived' };
}
