import type { TestQueryResult } from '../../../protocol/query-results.ts';

type Cell = TestQueryResult['rows'][number][number];

/** A time as people write it: without the letter T, and without a fraction of zeros. */
export function readableTime(value: Cell, type: string): Cell {
  if (typeof value !== 'string' || !/timestamp|datetime/i.test(type)) return value;
  return value.replace(
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d*?)0*)?(Z?)$/,
    (_, day: string, time: string, fraction: string | undefined, zone: string) =>
      `${day} ${time}${fraction ? `.${fraction}` : ''}${zone}`,
  );
}
