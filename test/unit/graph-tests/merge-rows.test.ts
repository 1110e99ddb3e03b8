import { deepStrictEqual } from 'node:assert/strict';
import type { TestRowsObject } from '../../../protocol/test-rows.ts';
import { distinctRows, mergeTables } from '../../../server/src/graph-tests/merge-rows.ts';

const columns = [
  { name: 'id', isKey: false, isTime: false, isNumber: true },
  { name: 'name', isKey: false, isTime: false, isNumber: false },
];
const table = (dataObject: string, rows: TestRowsObject['rows']): TestRowsObject => ({ dataObject, columns, rows });

describe('rows of a test', () => {
  it('of one data object are one table, in which a row is as often as where it is most often', () => {
    const merged = mergeTables([
      table('a', [
        [1, 'x'],
        [1, 'x'],
        [2, null],
      ]),
      table('b', [[1, 'x']]),
      table('a', [
        [1, 'x'],
        [2, null],
        [2, null],
        [3, '1'],
      ]),
    ]);
    deepStrictEqual(
      merged.map(({ dataObject, rows }) => [dataObject, rows]),
      [
        [
          'a',
          [
            [1, 'x'],
            [1, 'x'],
            [2, null],
            [2, null],
            [3, '1'],
          ],
        ],
        ['b', [[1, 'x']]],
      ],
    );
  });

  it('are the same where a number is a text elsewhere, but texts differ by their zeros', () => {
    const [merged] = mergeTables([
      table('a', [['001', '01']]),
      table('a', [
        [1, '01'],
        [1, '1'],
      ]),
    ]);
    deepStrictEqual(merged?.rows, [
      ['001', '01'],
      [1, '1'],
    ]);
  });

  it('are told apart by what identifies them', () => {
    deepStrictEqual(
      distinctRows([1, 2, 3, 4, 5], (number) => [number % 3]),
      [1, 2, 3],
    );
  });
});
