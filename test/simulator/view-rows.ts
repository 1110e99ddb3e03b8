import type { SimulatedData, SimulatedRecord } from './demo-data.ts';
import { columnsOf, descendants, type SimulatedView, type SimulatedViewTable } from './schema.ts';

/** The rows of a view: one for each combination of records that its conditions join. */
export function viewRows(data: SimulatedData, { tables }: SimulatedView): readonly SimulatedRecord[] {
  let rows: readonly SimulatedRecord[] = [{}];
  for (const table of tables) rows = rows.flatMap(joinedTo(data, table));
  return rows;
}

function joinedTo(
  data: SimulatedData,
  table: SimulatedViewTable,
): (row: SimulatedRecord) => readonly SimulatedRecord[] {
  const own = descendants(table.table).flatMap((name) => data.get(name) ?? []);
  const columns = columnsOf(table.table).map(({ element }) => [element, `${table.prefix}_${element}`] as const);
  // Without a list of entries for each record: views are joined anew for each page.
  const prefixedOf = (record: SimulatedRecord): SimulatedRecord => {
    const found: Record<string, string> = {};
    for (const [name, prefixed] of columns) found[prefixed] = record[name] ?? '';
    return found;
  };
  const prefixed = own.map(prefixedOf);
  const none = prefixedOf({});
  const { equal } = table;
  if (!equal) return (row) => prefixed.map((record) => ({ ...row, ...record }));
  const [one, other] = equal;
  const ownColumn = one in none ? one : other;
  const before = ownColumn === one ? other : one;
  const byValue = new Map<string, SimulatedRecord[]>();
  for (const record of prefixed) {
    const value = record[ownColumn] ?? '';
    const others = byValue.get(value);
    if (others) others.push(record);
    else byValue.set(value, [record]);
  }
  return (row) => {
    const value = row[before] ?? '';
    const found = value === '' ? [] : (byValue.get(value) ?? []);
    return found.length === 0 && table.isLeft ? [{ ...row, ...none }] : found.map((record) => ({ ...row, ...record }));
  };
}
