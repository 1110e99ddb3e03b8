import assert from 'node:assert/strict';
import { columnType } from '../../../server/src/connectors/sqlite/column-type.ts';
import { sqliteTimes } from '../../../server/src/dialects/sqlite/time-comparison.ts';
import type { SqliteCell } from '../../../server/src/store/sqlite-reader/sqlite-reader.ts';

/** docs/sqlite.md#times */
describe('SQLite times › compared as stored, so that an index is used, only if that is the order of times', () => {
  const column = (...values: readonly SqliteCell[]) => columnType('DATETIME', undefined, values);
  const blank = column('2024-01-01 00:00:00', '2024-12-31 10:00:00');
  const cases: readonly (readonly [string, ReturnType<typeof column>, ReturnType<typeof column>, boolean])[] = [
    ['texts of one form', blank, column('2020-05-05 11:11:11'), true],
    ['texts with equal fractions', column('2024-01-01T00:00:00.25Z'), column('2024-01-01T00:00:00.50Z'), true],
    ['dates', column('2024-01-01'), column('2024-01-02'), true],
    ['numbers of one unit', column(1704067200), column(1704067201.5), true],
    ['a blank and a T', blank, column('2024-01-01T00:00:00'), false],
    ['fractions of unlike length', column('2024-01-01 00:00:00.5', '2024-01-01 00:00:00'), blank, false],
    ['texts of several forms each', column('2024-01-01 00:00', '2024-01-01'), column('2024-01-01', null), false],
    ['offsets', column('2024-01-01 00:00:00+01:00'), column('2024-01-01 00:00:00+02:00'), false],
    ['a date and a time', column('2024-01-01'), blank, false],
    ['numbers of unlike units', column(1704067200), column(1704067200000), false],
    ['a number and a text', column(1704067200), blank, false],
    ['years of more digits', column('12024-01-01 00:00:00'), column('12024-01-01 00:00:00'), false],
    [
      'days written as times',
      columnType('', 'date', ['2024-01-01 00:00:00']),
      columnType('', 'date', ['2024-01-01 00:00:00']),
      false,
    ],
  ];
  for (const [what, left, right, areAlike] of cases) {
    it(`${what}: ${areAlike ? 'as they are' : 'converted'}`, () => {
      assert.equal(sqliteTimes.areAlike(left, right, 'UTC'), areAlike);
      assert.equal(sqliteTimes.areAlike(right, left, 'UTC'), areAlike);
    });
  }
});
