import type { Catalog, DataObject } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { Located } from '../model/source-range.ts';
import type { ComparedColumns } from './compiled-query.ts';
import { quotePath } from './quote.ts';
import type { SideColumn } from './relationship-side.ts';

/** An end of a relationship, or its cross table, with the names of the columns that it compares. */
interface ComparedEnd {
  readonly names: readonly Located<string>[];
  readonly column: (name: Located<string>) => SideColumn | undefined;
}

/**
 * The columns whose types a relationship relies on, by data object. Their types may change between the reading of the
 * tables and that of the rows, and an engine that compares numbers with texts would not refuse the query.
 */
export function comparedColumns(
  ends: readonly ComparedEnd[],
  catalog: Catalog,
): readonly ComparedColumns[] | undefined {
  const dialect = dialectNamed(catalog.dialect);
  if (!dialect.operators.comparesUnlikeTypes) return undefined;
  const byObject = new Map<DataObject, Map<string, ComparedColumns['columns'][number]>>();
  for (const { names, column } of ends) {
    for (const name of names) {
      const { entry, object } = column(name) ?? {};
      if (!entry || !object) continue;
      const columns = byObject.get(object) ?? new Map<string, ComparedColumns['columns'][number]>();
      const { type, sense } = entry;
      if (!columns.has(entry.name)) columns.set(entry.name, { name, type, sense, dataObject: object.name });
      byObject.set(object, columns);
    }
  }
  return [...byObject].map(([{ name, path }, found]): ComparedColumns => {
    const columns = [...found.keys()];
    const list = columns.map((column) => quotePath(['compared', column], dialect)).join(', ');
    const sql = `SELECT ${list} FROM ${quotePath(path, dialect)} AS ${dialect.identifiers.quote('compared')}`;
    return {
      query: { dialect: catalog.dialect, sql, columns, dataObjects: [name], fragments: [], references: [] },
      columns: [...found.values()],
    };
  });
}
