import type { Failure, TestQueryResult } from '../../protocol/query-results.ts';

/** A result of any size, with every kind of value and a column that is often NULL. */
export function orderRows(count: number, rest: Partial<TestQueryResult> = {}): TestQueryResult {
  const rows = Array.from({ length: count }, (_, index) => [
    10_248 + index,
    `2025-07-${String((index % 28) + 1).padStart(2, '0')}T08:15:00.000000Z`,
    index % 7 === 3 ? null : `2025-08-${String((index % 28) + 1).padStart(2, '0')}T10:00:00.000000Z`,
    ['VINET', 'TOMSP', 'HANAR', 'VICTE'][index % 4] ?? '',
    index % 3 === 0,
    ((index * 37) % 1000) / 10,
    index % 5 === 0 ? 'Left at the reception, as nobody was at the loading bay before noon; signed by the porter.' : '',
  ]);
  return {
    columns: [
      { name: 'order_id', type: 'integer', nulls: 0 },
      { name: 'order_date', type: 'timestamp', nulls: 0 },
      { name: 'shipped_date', type: 'timestamp', nulls: rows.filter((row) => row[2] === null).length },
      { name: 'customer_id', type: 'text', nulls: 0 },
      { name: 'urgent', type: 'boolean', nulls: 0 },
      { name: 'freight', type: 'numeric', nulls: 0 },
      { name: 'note', type: 'text', nulls: 0 },
    ],
    rows,
    truncated: false,
    durationMs: 38.4,
    warnings: [],
    ...rest,
  };
}

/** Values that do not fit their column's type, and one that an import cannot use. */
export const marked: Partial<TestQueryResult> = {
  warnings: ["2 values are no value of the column's type: queries and imports stop there."],
  marks: [
    { row: 0, column: 0, severity: 'error', message: '"10248" is no DATE: queries and imports stop here.' },
    { row: 2, column: 5, severity: 'error', message: '"7.4" is no DATE: queries and imports stop here.' },
    { row: 3, column: 2, severity: 'warning', message: 'No Start Timestamp: this row gives no event.' },
  ],
};

const refused = `SELECT
  "orders"."order_id" AS "order_id",
  "orders"."order_dat" AS "order_dat"
FROM "public"."orders" AS "orders"
WHERE (orders.urgent)`;

export const failure: Failure = {
  code: 'sql-error',
  message: 'column "order_dat" does not exist',
  file: '/project/orders.entity.yaml',
  range: { start: { line: 11, character: 20 }, end: { line: 11, character: 29 } },
  remedy: 'Did you mean order_date? Correct startTimestamp and run Test Query again.',
  query: {
    sql: refused,
    place: { start: refused.indexOf('"orders"."order_dat"'), end: refused.indexOf(' AS "order_dat"') },
  },
};
