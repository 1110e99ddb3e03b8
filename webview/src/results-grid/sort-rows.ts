import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { type CellValue, isNumericType } from './cell-text.ts';

export interface RowSort {
  readonly column: number;
  readonly descending: boolean;
}

/** Places of the rows in the order of a column; equal ones stay as they came, missing values come last either way. */
export function sortedOrder({ columns, rows }: TestQueryResult, { column, descending }: RowSort): readonly number[] {
  const compare = isNumericType(columns[column]?.type ?? '') ? compareNumbers : compareValues;
  const direction = descending ? -1 : 1;
  return rows
    .map((_, index) => index)
    .toSorted((one, other) => {
      const [left = null, right = null] = [rows[one]?.[column], rows[other]?.[column]];
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      return direction * compare(left, right);
    });
}

type Value = NonNullable<CellValue>;

/** Whole numbers beyond 2^53 come as text and are compared digit by digit. */
function compareNumbers(left: Value, right: Value): number {
  const integer = /^-?\d+$/;
  if (typeof left === 'string' && typeof right === 'string' && integer.test(left) && integer.test(right)) {
    const [one, other] = [BigInt(left), BigInt(right)];
    return one < other ? -1 : one > other ? 1 : 0;
  }
  const [one, other] = [Number(left), Number(right)];
  // Texts that are no numbers, such as NaN, come after those that are.
  if (Number.isNaN(one) !== Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1;
  return one - other || compareValues(left, right);
}

/** Times are ISO 8601 in UTC: their text has their order. */
function compareValues(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return Number(left) - Number(right);
}

/** Up, down, and back to the order in which the rows came. */
export function nextSort(sort: RowSort | undefined, column: number): RowSort | undefined {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}
