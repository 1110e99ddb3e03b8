import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { type CellValue, isNumericType } from './cell-text.ts';

export interface RowSort {
  readonly column: number;
  readonly descending: boolean;
}

/** Row indexes sorted by a column; stable, with missing values last in both directions. */
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

/** Integers beyond 2^53 are texts and compared digit by digit. */
function compareNumbers(left: Value, right: Value): number {
  const integer = /^-?\d+$/;
  if (typeof left === 'string' && typeof right === 'string' && integer.test(left) && integer.test(right)) {
    const [one, other] = [BigInt(left), BigInt(right)];
    return one < other ? -1 : one > other ? 1 : 0;
  }
  const [one, other] = [Number(left), Number(right)];
  // Texts that are not numbers, such as NaN, come last.
  if (Number.isNaN(one) !== Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1;
  return one - other || compareValues(left, right);
}

/** Times are ISO 8601 in UTC, whose text order is chronological. */
function compareValues(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return Number(left) - Number(right);
}

/** Ascending, descending, original order. */
export function nextSort(sort: RowSort | undefined, column: number): RowSort | undefined {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}
