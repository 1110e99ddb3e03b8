import assert from 'node:assert/strict';
import { sampleValues } from '../../../server/src/catalog/sample-values.ts';
import { arrayLiteralValues } from '../../../server/src/connectors/postgresql/catalog-columns.ts';

describe('sampleValues', () => {
  const cases: readonly (readonly [what: string, column: string, values: readonly unknown[], samples?: string[]])[] = [
    ['the first different ones', 'state', ['a', 'a', 'b', 'c', 'd'], ['a', 'b', 'c']],
    ['no missing ones', 'state', [null, '', undefined, 0, false], ['0', 'false']],
    ['objects as JSON', 'state', [{ a: 1 }, [2]], ['{"a":1}', '[2]']],
    ['long ones shortened', 'state', ['x'.repeat(41)], [`${'x'.repeat(39)}…`]],
    ['none where there is none', 'state', [null]],
    ['none of secrets', 'user_password', ['hush']],
    ['none of tokens', 'ApiKey', ['hush']],
  ];
  for (const [what, column, values, samples] of cases) {
    it(`keeps ${what}`, () => assert.deepEqual(sampleValues(column, values), samples ? { samples } : {}));
  }

  it('stops after the number of values to keep', () => {
    function* endless(): Generator<number> {
      for (let value = 0; ; value += 1) yield value;
    }
    assert.deepEqual(sampleValues('n', endless()), { samples: ['0', '1', '2'] });
  });
});

describe('arrayLiteralValues', () => {
  const cases: readonly (readonly [text: string, values: readonly string[]])[] = [
    ['{a,b}', ['a', 'b']],
    ['{1,2.5,-3}', ['1', '2.5', '-3']],
    ['{}', []],
    ['', []],
    ['{NULL,"NULL",""}', ['NULL', '']],
    [String.raw`{"a, b","say \"hi\"","back\\slash","{x}"}`, ['a, b', 'say "hi"', String.raw`back\slash`, '{x}']],
    ['{"2024-01-01 10:00:00",later', ['2024-01-01 10:00:00']],
    ['{a,b,cut in the mid', ['a', 'b']],
    ['{a,"cut in the mid', ['a']],
  ];
  for (const [text, values] of cases) {
    it(`reads ${text}`, () => assert.deepEqual([...arrayLiteralValues(text)], values));
  }
});
