import { type Catalog, type DataObject, findDataObject } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { objectReads } from './object-reads.ts';
import { printElementSelect } from './print-query.ts';
import { resultNames } from './result-names.ts';

/** Selects all columns of a data object in catalog order; undefined when the object or its columns are unknown. */
export function buildObjectQuery(dataObject: string, catalog: Catalog): CompiledQuery | undefined {
  const object = findDataObject(catalog, dataObject);
  if (!object || object.columns.length === 0) return undefined;
  return compile(object, catalog);
}

function compile({ name, path, columns }: DataObject, catalog: Catalog): CompiledQuery {
  const alias = path.at(-1) ?? name;
  const names = resultNames(
    columns.map((column) => column.name),
    catalog.dialect,
    [],
  );
  const items = columns.map((column, index) => ({
    column: { alias, name: column.name },
    as: names[index] ?? column.name,
  }));
  const printed = printElementSelect({ items, rows: { from: { path, alias } } }, dialectNamed(catalog.dialect));
  const reads = objectReads({ sql: printed.sql, dataObjects: [name] }, [{ dataObject: name }], [], catalog);
  return {
    dialect: catalog.dialect,
    ...printed,
    columns: items.map(({ as }) => as),
    dataObjects: [name],
    reads,
  };
}
