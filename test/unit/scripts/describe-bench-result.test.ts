import assert from 'node:assert/strict';

/** The exports of `bench/describe-result.ts`, which is not a part of the tests' program. */
interface Description {
  describeResult(result: object): string;
}

describe('description of a bench result', () => {
  let describeResult: Description['describeResult'];
  const result = { name: 'import', value: 3.5149, unit: 's', floor: 3.54, ratio: 0.9929, goal: '≤ 1.5 × it', ok: true };

  before(async () => {
    const program: string = '../../../bench/describe-result.ts';
    ({ describeResult } = (await import(program)) as Description);
  });

  it('names value, floor, ratio and goal', () => {
    assert.equal(describeResult(result), '✓ import: 3.515 s, floor 3.54 s, × 0.99; goal ≤ 1.5 × it');
  });

  it('says that a goal is missed', () => {
    const { name, value, unit, goal } = result;
    assert.equal(describeResult({ name, value, unit, goal, ok: false }), '✗ import: 3.515 s; goal ≤ 1.5 × it missed');
  });

  it('names the range of the rounds', () => {
    assert.equal(
      describeResult({ ...result, rounds: [3.6, 3.5149, 3.4], floorRounds: [3.54] }),
      '✓ import: 3.515 s (3.4 to 3.6 in 3), floor 3.54 s, × 0.99; goal ≤ 1.5 × it',
    );
  });

  it('distinguishes a missed aim from a kept limit', () => {
    assert.equal(
      describeResult({ ...result, aim: { text: '≤ 0.75 ×', isMet: false } }),
      '~ import: 3.515 s, floor 3.54 s, × 0.99; aim ≤ 0.75 × missed, limit ≤ 1.5 × it kept',
    );
  });

  it('says that an aim is met, and that a limit is exceeded', () => {
    const met = describeResult({ ...result, aim: { text: '≤ 1 ×', isMet: true } });
    assert.ok(met.startsWith('✓') && met.endsWith('aim ≤ 1 × met, limit ≤ 1.5 × it kept'), met);
    const exceeded = describeResult({ ...result, aim: { text: '≤ 0.75 ×', isMet: false }, ok: false });
    assert.ok(exceeded.startsWith('✗') && exceeded.endsWith('missed, limit ≤ 1.5 × it exceeded'), exceeded);
  });

  it('says that there is no goal', () => {
    const { name, value, unit, ok } = result;
    assert.equal(describeResult({ name, value, unit, goal: 'no goal', ok }), '✓ import: 3.515 s; no goal');
  });

  it('prints goals without limit', () => {
    const line = describeResult({ ...result, goal: 'no goal', aim: { text: '≤ 700 ms', isMet: false } });
    assert.ok(line.endsWith('; aim ≤ 700 ms missed, no limit'), line);
  });
});
