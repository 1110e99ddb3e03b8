import type { PlanColumn } from './plan-types.ts';

/** The name of a column in its file, and the column before it whose name differs from that only by case. */
interface FieldByCase {
  readonly field: string;
  readonly other: string;
}

/** The columns that have a number, by name, because SQL could not tell their names in the file from that of another. */
export function fieldsByCase(columns: readonly PlanColumn[]): ReadonlyMap<string, FieldByCase> {
  const found = new Map<string, FieldByCase>();
  const before = new Map<string, string>();
  for (const { name, field } of columns) {
    const other = field === undefined ? undefined : before.get(field.toLowerCase());
    if (!before.has(name.toLowerCase())) before.set(name.toLowerCase(), name);
    if (field !== undefined && other !== undefined && other !== field) found.set(name, { field, other });
  }
  return found;
}

/**
 * Adds the names in the file to columns that DuckDB numbered.
 * @param isWritten whether the file itself has the name
 */
export function withFields(
  columns: readonly PlanColumn[],
  isWritten: (name: string) => boolean,
): readonly PlanColumn[] {
  const before = new Set<string>();
  return columns.map((column) => {
    const { name } = column;
    const [, field] = /^([^]+)_\d+$/.exec(name) ?? [];
    const isNumbered = field !== undefined && before.has(field.toLowerCase()) && !isWritten(name);
    before.add(name.toLowerCase());
    return isNumbered ? { ...column, field } : column;
  });
}
