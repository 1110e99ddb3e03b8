import { type Catalog, type CatalogOrigin, type Column, type DataObject, findDataObject } from '../catalog/catalog.ts';
import type { TypeNames } from '../dialects/dialect.ts';
import { dialectNamed } from '../dialects/index.ts';
import { inferredType } from './column-type.ts';
import type { GraphColumns, NamedObject } from './graph-columns.ts';
import type { DeclaredColumn, GivenObject, GraphTest, GraphTests } from './graph-tests.ts';

/** Facts about a data source whose rows a graph reads. */
export interface TestedSource {
  readonly origin: CatalogOrigin;
  /** The cached catalog, or that of local files. */
  readonly known: Catalog | undefined;
  /** The catalog has not been read yet: the source may have further data objects. */
  readonly isUnread?: boolean;
  /** The data objects and columns of the source that the graph names. */
  readonly named: GraphColumns;
}

/**
 * The catalog of a data source in a test. A column has the type that the test declares, else that of the known catalog,
 * else one that fits its values. Without a known catalog there are the columns that the test or the graph names.
 * @param owns whether a data object that neither the catalog nor the graph knows is one of this source.
 */
export function testCatalog(
  file: Pick<GraphTests, 'columns'>,
  test: Pick<GraphTest, 'columns' | 'given'>,
  { origin, known, named }: TestedSource,
  owns: (dataObject: string) => boolean = () => true,
): Catalog {
  const objects = new Map((known?.objects ?? []).map((object) => [object.name, object]));
  const declared = [...file.columns, ...test.columns];
  const written = [...declared.map(({ dataObject }) => dataObject.value), ...test.given.map(({ name }) => name.value)];
  const names = new Set([...named.keys(), ...written.filter(owns)]);
  const { types, identifiers } = dialectNamed(origin.dialect);
  for (const name of names) {
    const columns = declared.filter(({ dataObject }) => dataObject.value === name).flatMap((each) => each.columns);
    const given = test.given.find((each) => each.name.value === name);
    const parts = { columns, given, named: named.get(name), types, path: identifiers.path(name) };
    objects.set(name, objectOf(name, known && findDataObject(known, name), parts));
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

interface Parts {
  readonly columns: readonly DeclaredColumn[];
  readonly given: GivenObject | undefined;
  readonly named: NamedObject | undefined;
  readonly types: TypeNames;
  /** Its path in SQL, if it is missing in the catalog. */
  readonly path: readonly string[];
}

function objectOf(name: string, known: DataObject | undefined, parts: Parts): DataObject {
  const { columns: declared, given, named, types, path } = parts;
  const columnOf = (column: string, type: string): Column => ({
    name: column,
    type,
    sense: types.sense(type),
    nullable: true,
    primaryKey: false,
  });
  const columns = new Map<string, Column>((known?.columns ?? []).map((column) => [column.name, column]));
  for (const { name: column, type, isKey } of declared) {
    columns.set(column.value, { ...columnOf(column.value, type.value), primaryKey: isKey });
  }
  if (!known) {
    const cells = (given?.rows ?? []).flatMap((row) => row.cells);
    for (const column of new Set([...cells.map((cell) => cell.column.value), ...(named?.columns.keys() ?? [])])) {
      if (columns.has(column)) continue;
      const values = cells.filter((cell) => cell.column.value === column).map(({ value }) => value);
      const type = types.usual[inferredType(values, named?.columns.get(column)?.isTime === true)];
      columns.set(column, columnOf(column, type));
    }
  }
  const keys = declared.filter(({ isKey }) => isKey).map((column) => column.name.value);
  return {
    ...(known ?? { name, kind: 'file', path, foreignKeys: [] }),
    columns: [...columns.values()],
    primaryKey: keys.length > 0 ? keys : (known?.primaryKey ?? []),
    statistics: { columnCount: columns.size },
  };
}
