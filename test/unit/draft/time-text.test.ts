import assert from 'node:assert/strict';
import { sortableTime, timeTextOf } from '../../../server/src/catalog/time-text.ts';

describe('times that are written as texts', () => {
  const cases: readonly (readonly [column: string, values: readonly string[], format: string | undefined])[] = [
    ['at', ['29-02-2016 01:23', '01-03-2016 10:00'], '%d-%m-%Y %H:%M'],
    ['at', ['2/29/2016', '3/1/2016'], '%m/%d/%Y'],
    ['at', ['1.3.2016 10:00:05', '31.3.2016 10:00:06'], '%d.%m.%Y %H:%M:%S'],
    ['erdat', ['20240131', '00000000'], '%Y%m%d'],
    ['created_time', ['235959', '61500'], '%H%M%S'],
  ];
  for (const [column, values, format] of cases) {
    it(`${values.join(', ')} in ${column}`, () => assert.equal(timeTextOf(column, values)?.format, format));
  }

  it('are not guessed if day and month are ambiguous, nor from numbers in columns with other names', () => {
    assert.deepEqual(timeTextOf('at', ['01/02/2024', '03/04/2024']), { sense: 'date' });
    assert.equal(timeTextOf('amount', ['20240131', '20240201']), undefined);
    assert.equal(timeTextOf('at', ['soon', 'later']), undefined);
  });

  it('are sorted by time', () => {
    const sort = (text: string): string => sortableTime(text, { format: '%d-%m-%Y %H:%M', sense: 'timestamp' }) ?? '';
    assert.ok(sort('29-02-2016 01:23') < sort('01-03-2016 00:00'));
    assert.equal(sortableTime('00000000', { format: '%Y%m%d', sense: 'date' }), undefined);
  });
});
