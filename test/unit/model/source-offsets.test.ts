import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Scalar, stringify } from 'yaml';
import { sourceOffsets } from '../../../server/src/model/convert/source-offsets.ts';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';

const cases: readonly { readonly name: string; readonly text: string; readonly at: string; readonly found: string }[] =
  [
    { name: 'plain text', text: 'where: a = bad', at: 'bad', found: 'bad' },
    { name: 'plain text over two lines', text: 'where: a = 1\n  AND bad = 2', at: 'bad', found: 'bad' },
    { name: 'single quotes with a doubled quote', text: "where: 'a = ''x'' AND bad'", at: 'bad', found: 'bad' },
    { name: 'double quotes with escapes', text: 'where: "a = \\"x\\" \\u0041 bad"', at: 'bad', found: 'bad' },
    { name: 'double quotes over lines', text: 'where: "a\n\n   b\\\n   bad"', at: 'bad', found: 'bad' },
    { name: 'a literal block', text: 'where: |\n  a = 1\n    AND bad', at: 'bad', found: 'bad' },
    { name: 'a literal block, CRLF', text: 'where: |-\r\n  a = 1\r\n  AND bad\r\n', at: 'bad', found: 'bad' },
    { name: 'a literal block with an indicator', text: 'where: |2\n    a = 1\n  AND bad', at: 'bad', found: 'bad' },
    { name: 'a folded block', text: 'where: >\n  a = 1\n  AND\n\n  b\n    more\n  bad', at: 'bad', found: 'bad' },
  ];

describe('sourceOffsets', () => {
  for (const { name, text, at, found } of cases) {
    it(`finds a word in ${name}`, () => {
      const scalar = scalarOf(text);
      const offsets = sourceOffsets(scalar, text.slice(scalar.range?.[0], scalar.range?.[1]));
      const value = String(scalar.value);
      assert.equal(offsets.length, value.length + 1);
      const index = value.indexOf(at);
      assert.equal(text.slice(offsets[index], offsets[index + at.length]).trimEnd(), found);
    });
  }

  it('maps every character to its position, in any scalar style', () => {
    const word = fc.stringMatching(/^[a-z ='\n"#:\\-]{0,40}$/);
    const styles = fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED');
    fc.assert(
      fc.property(word, styles, fc.integer({ min: 20, max: 60 }), (value, style, lineWidth) => {
        const text = stringify({ a: { where: value } }, { defaultStringType: style as 'PLAIN', lineWidth });
        const scalar = parseYaml(text).document.getIn(['a', 'where'], true) as Scalar;
        const offsets = sourceOffsets(scalar, text.slice(scalar.range?.[0], scalar.range?.[1]));
        const read = String(scalar.value);
        for (const [index, letter] of [...read].entries()) {
          if (/[a-z]/.test(letter))
            assert.equal(text[offsets[index] ?? -1], letter, `${JSON.stringify(text)} at ${index}`);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

function scalarOf(text: string): Scalar {
  return parseYaml(text).document.get('where', true) as unknown as Scalar;
}
