import type { Column, DataObject, ObjectStatistics } from '../../catalog/catalog.ts';
import { columnTypeOf } from './column-type.ts';
import { groupBy } from './group-by.ts';
import type { TrinoRow } from './statement-answer.ts';

/** Rows of the queries of one catalog. */
interface CatalogRows {
  readonly catalog: string;
  readonly objects: readonly TrinoRow[];
  readonly columns: readonly TrinoRow[];
  readonly comments: readonly TrinoRow[];
}

export interface BuiltObjects {
  readonly objects: readonly DataObject[];
  /** Names of objects whose columns the user may not see. */
  readonly unreadable: readonly string[];
}

/** Puts the rows together. @param nameOf the name of an object in entity graphs */
export function buildObjects(
  { catalog, objects, columns, comments }: CatalogRows,
  nameOf: (schema: string, table: string) => string,
): BuiltObjects {
  const columnsOf = groupBy(columns, placeOf);
  const commentOf = new Map(comments.map((row) => [placeOf(row), String(row[2])]));
  const unreadable: string[] = [];
  const built = objects.flatMap((row): readonly DataObject[] => {
    const [schema, table, type] = row.map(String) as [string, string, string];
    const own = (columnsOf.get(placeOf(row)) ?? []).map(columnOf);
    const comment = commentOf.get(placeOf(row));
    if (own.length === 0) {
      unreadable.push(nameOf(schema, table));
      return [];
    }
    return [
      {
        name: nameOf(schema, table),
        kind: type.includes('VIEW') ? 'view' : 'table',
        path: [catalog, schema, table],
        ...(comment !== undefined && comment !== '' && { comment }),
        columns: own,
        // Trino does not report keys.
        primaryKey: [],
        foreignKeys: [],
        statistics: { columnCount: own.length },
      },
    ];
  });
  return { objects: built, unreadable };
}

function placeOf([schema, table]: TrinoRow): string {
  return `${String(schema)}\0${String(table)}`;
}

function columnOf([, , name, type, nullable, remarks]: TrinoRow): Column {
  return {
    name: String(name),
    type: String(type),
    sense: columnTypeOf(String(type)).sense,
    // `columnNoNulls` of JDBC.
    nullable: Number(nullable) !== 0,
    primaryKey: false,
    ...(typeof remarks === 'string' && remarks !== '' && { comment: remarks }),
  };
}

/** Adds the statistics of `SHOW STATS` to a data object. */
export function withStatistics(object: DataObject, rows: readonly TrinoRow[]): DataObject {
  const byColumn = new Map(rows.map((row) => [row[0], row]));
  const [, , , , rowCount] = byColumn.get(null) ?? [];
  const sizes = rows.map(([, size]) => size).filter((size) => typeof size === 'number');
  const statistics: ObjectStatistics = {
    ...object.statistics,
    ...(typeof rowCount === 'number' && { rowEstimate: Math.round(rowCount) }),
    ...(sizes.length > 0 && { dataSize: Math.round(sizes.reduce((sum, size) => sum + size, 0)) }),
  };
  const columns = object.columns.map((column): Column => {
    const [, , distinct, nulls] = byColumn.get(column.name) ?? [];
    return {
      ...column,
      ...(typeof distinct === 'number' && { distinctEstimate: Math.round(distinct) }),
      ...(typeof nulls === 'number' && { nullShare: nulls }),
    };
  });
  return { ...object, columns, statistics };
}
