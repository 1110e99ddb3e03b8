import type { ColumnName, ColumnUse, Output } from './output.ts';

/** Every column that an output depends on, with its role: those of its own text first, each column and role once. */
export function columnsBehind(output: Output): readonly ColumnUse[] {
  const found = new Map<string, ColumnUse>();
  for (const each of [output, ...outputsBehind(output)]) {
    for (const use of each.columns) {
      const key = JSON.stringify([columnKey(use), use.role]);
      if (!found.has(key)) found.set(key, use);
    }
  }
  return [...found.values()];
}

/** The outputs that depend on a column, directly or by others, in the order of the lineage. */
export function outputsOf(column: ColumnName, lineage: readonly Output[]): readonly Output[] {
  const key = columnKey(column);
  const fed = new Map<Output, boolean>();
  const isFed = (output: Output): boolean => {
    const known = fed.get(output);
    if (known !== undefined) return known;
    const found = output.columns.some((use) => columnKey(use) === key) || output.from.some(isFed);
    fed.set(output, found);
    return found;
  };
  return lineage.filter(isFed);
}

/** The column that the text names at an offset, end inclusive. */
export function columnAt(offset: number, lineage: readonly Output[]): ColumnUse | undefined {
  return lineage
    .flatMap(({ columns }) => columns)
    .find(({ range, isImplied }) => !isImplied && range.start <= offset && offset <= range.end);
}

/** Whether the own text of an output names a column, or has it as one of all. */
export function namesColumn({ columns }: Output, column: ColumnName): boolean {
  return columns.some((use) => columnKey(use) === columnKey(column));
}

/** The places in the text that name a column, or have it as one of all. */
export function placesOf(column: ColumnName, lineage: readonly Output[]): readonly ColumnUse[] {
  const key = columnKey(column);
  const places = lineage.flatMap(({ columns }) => columns.filter((use) => columnKey(use) === key));
  const byStart = new Map(places.map((use) => [use.range.start, use]));
  return [...byStart.values()].toSorted((left, right) => left.range.start - right.range.start);
}

/** The used columns that a text such as `orders.amount` names; those of several data sources, if they have it. */
export function columnsNamed(text: string, lineage: readonly Output[]): readonly ColumnName[] {
  const used = lineage.flatMap(({ columns }) => columns);
  const named = used.filter(({ dataObject, column }) => `${dataObject}.${column}` === text);
  return [...new Map(named.map((use) => [columnKey(use), use])).values()];
}

export function columnKey({ dataSource, dataObject, column }: ColumnName): string {
  return JSON.stringify([dataSource, dataObject, column]);
}

/** Everything that an output is made of, without itself. */
export function outputsBehind({ from }: Output): readonly Output[] {
  const found = new Set<Output>();
  const add = (output: Output): void => {
    if (found.has(output)) return;
    found.add(output);
    output.from.forEach(add);
  };
  from.forEach(add);
  return [...found];
}
