import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countRows } from '../../../../server/src/connectors/segments/row-counter.ts';

describe('countRows', () => {
  const cases: readonly (readonly [
    chunks: readonly string[],
    rows: number,
    longest: number,
    lastEnds: readonly number[],
  ])[] = [
    [['a,b\n', 'c\n'], 2, 4, [4, 2]],
    [['a,"x\n', 'y""\n",z\n', 'rest'], 1, 13, [-1, 8, -1]],
    [['"""', '"""\n"', 'tail\n"\n'], 2, 8, [-1, 4, 7]],
    [['\n\n'], 2, 1, [2]],
    [['unfinished'], 0, 10, [-1]],
  ];
  for (const [chunks, rows, longest, lastEnds] of cases) {
    it(JSON.stringify(chunks), () => {
      const counter = countRows();
      const ends = chunks.map((chunk) => counter.add(Buffer.from(chunk)));
      assert.deepEqual([counter.rows(), counter.longestRow(), ends], [rows, longest, lastEnds]);
    });
  }

  it('does not depend on chunk boundaries', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', '\n', ',', 'ö') });
    fc.assert(
      fc.property(
        fc.array(fc.array(field, { minLength: 1, maxLength: 3 })),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (table, sizes) => {
          const lines = table.map((row) => `${row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n`);
          const bytes = Buffer.from(lines.join(''));
          const counter = countRows();
          for (let start = 0; start < bytes.length;) {
            const end = start + (sizes.next().value ?? 1);
            counter.add(bytes.subarray(start, end));
            start = end;
          }
          const longest = Math.max(0, ...lines.map((line) => Buffer.byteLength(line)));
          assert.deepEqual([counter.rows(), counter.longestRow()], [table.length, longest]);
        },
      ),
    );
  });
});
