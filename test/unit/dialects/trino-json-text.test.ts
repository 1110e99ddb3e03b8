import assert from 'node:assert/strict';
import { trinoJsonText } from '../../../server/src/dialects/trino/json-text.ts';

/** Types, and the type that the value is cast to before it becomes JSON. */
const cases: readonly (readonly [type: string, cast: string | undefined])[] = [
  ['row(time timestamp(3), id bigint)', undefined],
  ['row("char" varchar(4), id decimal(38, 0))', undefined],
  ['map(bigint, array(json))', undefined],
  ['row(id bigint, u uuid)', 'row("id" bigint, "u" varchar)'],
  ['row(integer, bigint)', 'row("field0" integer, "field1" bigint)'],
  ['map(date, timestamp(6))', 'map(varchar, timestamp(6))'],
  ['array(timestamp(3) with time zone)', 'array(varchar)'],
  ['array(INTERVAL DAY TO SECOND)', 'array(varchar)'],
  ['array(row("a, b" time(3) with time zone, c interval year to month))', 'array(row("a, b" varchar, "c" varchar))'],
];

describe('arrays, maps and rows of Trino as JSON', () => {
  for (const [type, cast] of cases) {
    it(`${type} ${cast === undefined ? 'is converted without a cast' : `is cast to ${cast}`}`, () => {
      const value = cast === undefined ? 'v' : `CAST(v AS ${cast})`;
      assert.equal(trinoJsonText('v', type), `json_format(CAST(${value} AS JSON))`);
    });
  }

  for (const type of ['array(varbinary)', 'map(array(bigint), bigint)', 'row(id bigint, g Geometry)']) {
    it(`${type} cannot be converted on the server`, () => assert.equal(trinoJsonText('v', type), undefined));
  }
});
