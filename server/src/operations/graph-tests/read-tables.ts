import type { TestRowsObject, WantedRows } from '../../../../protocol/test-rows.ts';
import { type DataObject, findColumn } from '../../catalog/catalog.ts';
import { distinctRows } from '../../graph-tests/merge-rows.ts';
import { movedBetweenZones } from '../../connectors/utc-text.ts';
import type { Preview } from '../../connectors/connector.ts';
import type { EntitySource, MasterData } from '../../model/entity-graph.ts';
import type { GraphFile } from '../../project/open-project.ts';
import type { MasterDataQuery } from '../../query/compiled-query.ts';
import { OperationError } from '../operation-error.ts';

type RowsSource = Pick<EntitySource, 'index' | 'range' | 'dataSource' | 'dataObject' | 'key' | 'joins' | 'where'>;

/** The rows of an entry, read as an entry of `entities`. @param parts the parts of its SQL that apply */
export function rowsOf(
  entry: RowsSource,
  columns: readonly string[],
  parts: readonly ('joins' | 'where')[],
): MasterData {
  const { index, range, dataSource, dataObject, key, joins, where } = entry;
  return {
    isMasterData: true,
    index,
    range,
    properties: { kind: 'list', columns: columns.map((value) => ({ value, range })) },
    ...(dataSource && { dataSource }),
    ...(dataObject && { dataObject }),
    ...(key && { key }),
    ...(parts.includes('joins') && joins && { joins }),
    ...(parts.includes('where') && where && { where }),
  };
}

export function namesOf({ properties }: MasterData): readonly string[] {
  return properties.kind === 'list' ? properties.columns.map(({ value }) => value) : [];
}

/** The rows of a query, and the names of its columns. */
export interface ReadRows {
  readonly columns: readonly string[];
  readonly query: MasterDataQuery;
  readonly preview: Pick<Preview, 'columns' | 'rows'>;
}

/** A data object in a query. */
interface ReadObject {
  readonly object: DataObject;
  readonly columns: readonly string[];
  /** The name of a column in the query. */
  readonly names: (column: string) => string;
}

/**
 * The rows of a data object. Joins repeat them, and have none where everything is NULL.
 * @param isJoined whether they went through joins
 */
export function tableOf(
  { object, columns, names }: ReadObject,
  { query, columns: read, preview }: ReadRows,
  { isJoined }: { readonly isJoined: boolean },
): TestRowsObject {
  const place = placesIn(query, preview);
  const places = columns.map((column) => place(names(column), read));
  const valuesOf = (row: Preview['rows'][number]): TestRowsObject['rows'][number] =>
    places.map((at) => row[at] ?? null);
  const { rowOrder } = query.roles;
  const order = rowOrder === undefined ? -1 : preview.columns.findIndex(({ name }) => name === rowOrder);
  const isOwn = columns.every((column) => names(column) === column);
  const rows = isJoined
    ? // The number of a row tells equal rows of a file apart.
      distinctRows(preview.rows, (row) => (isOwn && order >= 0 ? row[order] : valuesOf(row)))
    : preview.rows;
  return {
    dataObject: object.name,
    columns: columns.map((name) => {
      const column = findColumn(object, name);
      const sense = column?.sense;
      return {
        name,
        isKey: object.primaryKey.includes(name),
        ...(column && { type: column.type }),
        isTime: sense === 'timestamp' || sense === 'date',
        isNumber: sense === 'integer' || sense === 'number',
      };
    }),
    rows: rows.map(valuesOf).filter((row) => !isJoined || row.some((value) => value !== null)),
  };
}

/** The index of a column in the rows, by its name in the query; negative if missing. */
function placesIn(
  { roles, known = [] }: MasterDataQuery,
  preview: Pick<Preview, 'columns'>,
): (name: string, read: readonly string[]) => number {
  // A key is the text that a file has.
  const keyed = new Map(known.filter(({ name }) => roles.key.includes(name)).map((each) => [each.column, each.name]));
  return (name, read) => {
    const result = keyed.get(name) ?? roles.properties[read.indexOf(name)];
    return preview.columns.findIndex((column) => column.name === result);
  };
}

/**
 * The rows that equal a chosen row in all common columns.
 * @param zones of an entry with a time zone of its own, in which the chosen rows were shown; these are in that of the source
 */
export function onlyChosen(
  read: ReadRows,
  { columns, rows }: NonNullable<WantedRows['chosen']>,
  file: GraphFile,
  zones?: { readonly own: string; readonly ofSource: string },
): ReadRows {
  const place = placesIn(read.query, read.preview);
  const shared = columns.flatMap((name, index) => {
    const at = read.columns.includes(name) ? place(name, read.columns) : -1;
    return at < 0 ? [] : [{ index, at, isLocal: read.preview.columns[at]?.zoned === false }];
  });
  const moved = zones && movedBetweenZones(zones.own, zones.ofSource);
  const wanted = new Map<string, number>();
  for (const row of rows) {
    const values = JSON.stringify(
      shared.map(({ index, isLocal }) => {
        const text = String(row[index] ?? '');
        return isLocal && moved ? moved(text) : text;
      }),
    );
    wanted.set(values, (wanted.get(values) ?? 0) + 1);
  }
  const kept = read.preview.rows.filter((row) => {
    const values = JSON.stringify(shared.map(({ at }) => String(row[at] ?? '')));
    const left = wanted.get(values) ?? 0;
    wanted.set(values, left - 1);
    return left > 0;
  });
  if (kept.length === rows.length) return { ...read, preview: { ...read.preview, rows: kept } };
  throw new OperationError({
    code: 'no-rows',
    message: `${rows.length - kept.length} of the ${rows.length} rows are not there any more, or have changed.`,
    file: file.path,
    remedy: 'Run the query again, and choose from its rows.',
  });
}
