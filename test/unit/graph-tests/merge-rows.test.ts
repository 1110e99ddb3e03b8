import { deepStrictEqual } from 'node:assert/strict';
import type { TestRowsObject } from '../../../protocol/test-rows.ts';
import { distinctRows, mergeTables } from '../../../server/src/graph-tests/merge-rows.ts';

const columns = [
  { name: 'id', isKey: false, isTime: false, isNumber: true },
  { name: 'name', isKey: false, isTime: false, isNumber: false },
];
const table = (dataObject: string, rows: TestRowsObject['rows']): TestRowsObject => ({ dataObject, columns, rows });

describe('rows of a test', () => {
  it('of one data object form one table, with the highest number of repetitions of each row', () => {
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

  it('are equal if a number is a text elsewhere; texts with different zeros are not', () => {
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

  it('are listed once for each key', () => {
    deepStrictEqual(
      distinctRows([1, 2, 3, 4, 5], (number) => [number % 3]),
      [1, 2, 3],
    );
  });
});
