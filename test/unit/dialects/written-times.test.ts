import assert from 'node:assert/strict';
import { dialectNamed } from '../../../server/src/dialects/index.ts';

/** `test/databases/written-times.test.ts` runs such SQL in the databases themselves, except in Trino. */
describe('SQL of times that are written in columns', () => {
  const written = (name: string) => dialectNamed(name).times.written;

  it('joins a date and a time of day in each dialect', () => {
    const joined = (name: string): string => written(name).atTimeOfDay('d', 't');
    assert.equal(joined('duckdb'), `d + coalesce(t, TIME '00:00:00')`);
    assert.equal(joined('postgresql'), `(d) + coalesce(t, TIME '00:00:00')`);
    assert.equal(joined('mysql'), `TIMESTAMP(d, COALESCE(t, TIME '00:00:00'))`);
    assert.equal(joined('sqlite'), `(d) || ' ' || coalesce(t, '00:00:00')`);
    assert.equal(joined('trino'), `CAST(d AS timestamp(6)) + (coalesce(t, TIME '00:00:00') - TIME '00:00:00')`);
  });

  it('brings a text into the form of ISO 8601 in Trino, which reads no other', () => {
    assert.equal(
      written('trino').parsed('x', '%d.%m.%Y %H:%M', 'timestamp'),
      `try_cast(regexp_replace(x, '^(0?[1-9]|[12][0-9]|3[01])[.](0?[1-9]|1[0-2])[.]([12][0-9]{3}) ([01]?[0-9]|2[0-3]):([0-9]{1,2})$', '$3-$2-$1 $4:$5') AS timestamp(6))`,
    );
    assert.equal(
      written('trino').parsed('x', '%H%M%S', 'time'),
      `try_cast(regexp_replace(x, '^([01]?[0-9]|2[0-3])([0-9]{2})([0-9]{2})$', '$1:$2:$3') AS time)`,
    );
  });

  it('is refused for formats that SQLite cannot take apart', () => {
    const reads = (format: string): readonly boolean[] =>
      ['sqlite', 'duckdb', 'postgresql', 'mysql', 'trino'].map((name) => written(name).reads(format));
    assert.deepEqual(reads('%d.%m.%Y'), [false, true, true, true, true]);
    assert.deepEqual(reads('%Y%m%d'), [true, true, true, true, true]);
  });
});
