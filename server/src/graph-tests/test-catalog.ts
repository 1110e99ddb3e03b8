import { type Catalog, type CatalogOrigin, type Column, type DataObject, findDataObject } from '../catalog/catalog.ts';
import { columnSense } from '../connectors/embedded/column-types.ts';
import { inferredType } from './column-type.ts';
import type { GraphColumns } from './graph-columns.ts';
import type { DeclaredColumn, GivenObject, GraphTest, GraphTests } from './graph-tests.ts';

/**
 * The catalog of a test. A column has the type that the test declares, else that of the known catalog, else one that
 * fits its values. Without a known catalog there are the columns that the test or the graph names.
 */
export function testCatalog(
  file: Pick<GraphTests, 'columns'>,
  test: Pick<GraphTest, 'columns' | 'given'>,
  { origin, known, named }: CatalogKnowledge,
): Catalog {
  const objects = new Map((known?.objects ?? []).map((object) => [object.name, object]));
  const declared = [...file.columns, ...test.columns];
  const names = new Set([
    ...named.keys(),
    ...declared.map(({ dataObject }) => dataObject.value),
    ...test.given.map(({ name }) => name.value),
  ]);
  for (const name of names) {
    const columns = declared.filter(({ dataObject }) => dataObject.value === name).flatMap((each) => each.columns);
    const given = test.given.find((each) => each.name.value === name);
    objects.set(name, objectOf(name, known && findDataObject(known, name), { columns, given, named: named.get(name) }));
  }
  return {
    ...origin,
    ...(known?.engineVersion !== undefined && { engineVersion: known.engineVersion }),
    objects: [...objects.values()],
    complete: true,
    readAt: known?.readAt ?? '1970-01-01T00:00:00.000Z',
    warnings: [],
  };
}

export interface CatalogKnowledge {
  readonly origin: CatalogOrigin;
  readonly known: Catalog | undefined;
  readonly named: GraphColumns;
}

interface Parts {
  readonly columns: readonly DeclaredColumn[];
  readonly given: GivenObject | undefined;
  readonly named: ReturnType<GraphColumns['get']>;
}

function objectOf(name: string, known: DataObject | undefined, { columns: declared, given, named }: Parts): DataObject {
  const columns = new Map<string, Column>((known?.columns ?? []).map((column) => [column.name, column]));
  for (const { name: column, type, isKey } of declared) {
    columns.set(column.value, { ...columnOf(column.value, type.value), primaryKey: isKey });
  }
  if (!known) {
    const cells = (given?.rows ?? []).flatMap((row) => row.cells);
    for (const column of new Set([...cells.map((cell) => cell.column.value), ...(named?.keys() ?? [])])) {
      if (columns.has(column)) continue;
      const values = cells.filter((cell) => cell.column.value === column).map(({ value }) => value);
      columns.set(column, columnOf(column, inferredType(values, named?.get(column)?.isTime === true)));
    }
  }
  const keys = declared.filter(({ isKey }) => isKey).map((column) => column.name.value);
  return {
    ...(known ?? { name, kind: 'file', path: [name], foreignKeys: [] }),
    columns: [...columns.values()],
    primaryKey: keys.length > 0 ? keys : (known?.primaryKey ?? []),
    statistics: { columnCount: columns.size },
  };
}

function columnOf(name: string, type: string): Column {
  return { name, type, sense: columnSense(type), nullable: true, primaryKey: false };
}
