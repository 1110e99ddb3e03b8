import assert from 'node:assert/strict';
import fc from 'fast-check';
import { guardedText } from '../../../protocol/formula-guard.ts';

/** Guarded cells, by their first character. */
const guarded: Readonly<Record<string, string>> = {
  'equals sign': '=1+1',
  plus: '+1+1',
  minus: '-1+1',
  'at sign': '@SUM(A1)',
  tab: '\t=1+1',
  'carriage return': '\r=1+1',
  'line feed': '\n=1+1',
  NUL: '\0=1+1',
  'full-width equals sign': '＝1+1',
  'full-width plus': '＋1',
  'full-width minus': '－1',
  'full-width at sign': '＠SUM(A1)',
  'an apostrophe, so that one can be taken away again': "'=1+1",
  'several apostrophes': "'''=1+1",
  'a date that looks like a sum': '-2024-01-01',
  'a telephone number': '+1 555 0100',
  'a minus alone': '-',
  'a hexadecimal number': '-0x1F',
};

/** Texts that are unchanged. */
const plain = ['', 'text', "'", "it's = to", ' =1+1', '1-1', '[=1]', '{"a":"=1"}', 'É=', '﹢'];

/** Numbers, which a spreadsheet reads as such. */
const numbers = ['-5', '+5', '-0.5', '-.5', '-5.', '+1e10', '-1.5E-300', '-0', '-00042'];

describe('formula guard for spreadsheets', () => {
  for (const [what, text] of Object.entries(guarded)) {
    it(`prefixes an apostrophe to texts that start with ${what}`, () => assert.equal(guardedText(text), `'${text}`));
  }
  for (const text of [...plain, ...numbers]) {
    it(`keeps ${JSON.stringify(text)}`, () => assert.equal(guardedText(text), text));
  }

  it('is reversible, and no guarded text starts like a formula', () => {
    const signs = fc.constantFrom("'", '=', '+', '-', '@', '\t', '＝', '1', '.', 'e', 'a', ' ', '\n');
    const text = fc.oneof(
      fc.string(),
      fc.array(signs, { maxLength: 6 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (original) => {
        const shown = guardedText(original);
        const isGuarded = /^'+[=+\-@\t\r\n\0＝＋－＠]/u.test(shown);
        assert.equal(isGuarded ? shown.slice(1) : shown, original);
        assert.ok(
          !/^[=@\t\r\n\0＝＋－＠]/u.test(shown) && (!/^[+-]/.test(shown) || Number.isFinite(Number(shown))),
          shown,
        );
      }),
      { numRuns: 2000 },
    );
  });
});
