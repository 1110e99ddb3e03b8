import type { LineIndex } from '../../model/line-index.ts';
import type { ColumnUse, Output } from '../output.ts';
import { columnKey, columnsBehind } from '../trace.ts';

/**
 * The lineage as JSON (docs/semantics.md#213-answers). Lines count from 1.
 * @param only the keys of the columns that are listed; absent for all
 */
export function lineageJson(outputs: readonly Output[], lines: LineIndex, only?: ReadonlySet<string>): object {
  const feeds = new Map<string, { readonly use: ColumnUse; readonly outputs: object[] }>();
  const listed = outputs.map((output) => {
    const columns = columnsBehind(output);
    const named = nameOf(output, lines);
    for (const use of columns) {
      const key = columnKey(use);
      if (only && !only.has(key)) continue;
      const fed = feeds.get(key) ?? { use, outputs: [] };
      feeds.set(key, fed);
      // A column may choose rows and give their value: the output is listed once for each role.
      fed.outputs.push({ ...named, role: use.role });
    }
    return { ...named, columns: columns.map(columnOf) };
  });
  return {
    outputs: listed,
    columns: [...feeds.values()].map(({ use: { dataSource, dataObject, column }, outputs: fed }) => ({
      dataSource,
      dataObject,
      column,
      feeds: fed,
    })),
  };
}

function nameOf({ kind, name, of, range }: Output, lines: LineIndex) {
  return { kind, name, ...(of !== undefined && { of }), line: lines.position(range.start).line + 1 };
}

function columnOf({ dataSource, dataObject, column, role }: ColumnUse) {
  return { dataSource, dataObject, column, role };
}
