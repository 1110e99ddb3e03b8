import type { TestRowsObject } from '../../../protocol/test-rows.ts';

type Row = TestRowsObject['rows'][number];

/** Removes duplicate rows, and keeps the order. @param identity the values that distinguish rows */
export function distinctRows<Item>(rows: readonly Item[], identity: (row: Item) => unknown): readonly Item[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = JSON.stringify(identity(row));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Merges tables of the same data object, which have the same columns. A row that repeats gets the highest number of
 * repetitions in one of the tables.
 */
export function mergeTables(tables: readonly TestRowsObject[]): readonly TestRowsObject[] {
  const merged = new Map<string, TestRowsObject>();
  for (const table of tables) {
    const before = merged.get(table.dataObject);
    merged.set(table.dataObject, before ? { ...before, rows: union(before, table) } : table);
  }
  return [...merged.values()];
}

function union({ columns, rows }: TestRowsObject, others: TestRowsObject): readonly Row[] {
  // A key is the text that a file has, and may be a number elsewhere.
  const identity = (row: Row): string =>
    JSON.stringify(
      row.map((value, index) =>
        columns[index]?.isNumber === true && value !== null ? String(value).replace(/^0+(?=\d)/, '') : value,
      ),
    );
  const left = new Map<string, number>();
  for (const row of rows) left.set(identity(row), (left.get(identity(row)) ?? 0) + 1);
  const more = others.rows.filter((row) => {
    const count = left.get(identity(row)) ?? 0;
    left.set(identity(row), count - 1);
    return count <= 0;
  });
  return [...rows, ...more];
}
