import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineEndReader, textWithOneLineEnd } from '../../../server/src/connectors/csv/line-ends.ts';

const comma = { delimiter: ',', quote: '"', escape: '"' };

/** One row per text: its conversion, and the first line with each kind of end. */
const cases: readonly (readonly [text: string, becomes: string, found: object, shape?: typeof comma])[] = [
  ['a\nb\r\nc\rd', 'a\nb\nc\rd', { lf: 1, crlf: 2, cr: 3 }],
  ['"a\r\nb",c\r\n"\r"\n', '"a\r\nb",c\n"\r"\n', { crlf: 2, lf: 3 }],
  ['a"b\r\nc"d\n', 'a"b\nc"d\n', { crlf: 1, lf: 2 }],
  ['"a""\r\n"\r\n', '"a""\r\n"\n', { crlf: 2 }],
  ['"a\\"\r\n"\r\n', '"a\\"\r\n"\n', { crlf: 2 }, { ...comma, escape: '\\' }],
  ["a||'b\r\n'||'c'\r\n", "a||'b\r\n'||'c'\n", { crlf: 2 }, { delimiter: '||', quote: "'", escape: "'" }],
  ['"a\r\nb\r\n', '"a\nb\n', { crlf: 1 }, { delimiter: ',', quote: '', escape: '' }],
  ['', '', {}],
  ['\r', '\r', { cr: 1 }],
];

describe('detected line endings of CSV text', () => {
  for (const [text, becomes, found, shape = comma] of cases) {
    it(JSON.stringify(text), () => {
      const lines = lineEndReader(shape);
      assert.deepEqual([lines.read(text) + lines.finish(), lines.found], [becomes, found]);
    });
  }

  it('do not depend on chunk boundaries', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\r', '\n', '\\') });
    const shape = fc.constantFrom(comma, { ...comma, delimiter: ',;' }, { ...comma, escape: '\\' });
    fc.assert(
      fc.property(fc.array(piece), shape, (pieces, each) => {
        const lines = lineEndReader(each);
        const read = pieces.map((text) => lines.read(text)).join('') + lines.finish();
        assert.equal(read, textWithOneLineEnd(pieces.join(''), each));
      }),
    );
  });
});
