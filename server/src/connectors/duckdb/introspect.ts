import type { CatalogContent, Column, DataObject, ForeignKey } from '../../catalog/catalog.ts';
import { sampleValues } from '../../catalog/sample-values.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { type DuckDbSession, openScratch } from '../../store/duckdb-store.ts';
import type { DatabaseValue } from '../../store/staging-database.ts';
import type { OperationOptions } from '../connector.ts';
import { firstRowsInTime, lateRowsWarning } from '../preview-timeout.ts';
import { catalogColumn } from '../embedded/column-types.ts';
import { attach, attachedAs, attachedName, objectName, storedObjects, type StoredObject } from './attached-database.ts';
import type { DuckdbConfig } from './read-settings.ts';
import type { DuckdbSource } from './duckdb-source.ts';

/** The catalog of a database file. Rejects with a `SourceError` when the file cannot be read. */
export async function introspect(
  { config, findDatabase }: DuckdbSource,
  { signal }: OperationOptions,
): Promise<CatalogContent> {
  const path = await findDatabase();
  const session = await openScratch();
  try {
    await attach(session, config, path, signal);
    const described = await describe(session, config);
    const objects: DataObject[] = [];
    const warnings: string[] = [];
    for (const stored of await storedObjects(session, config)) {
      signal?.throwIfAborted();
      const object = dataObject(stored, path, described);
      const rows = await firstRows(session, config, stored, signal);
      if (rows === 'late') warnings.push(lateRowsWarning(stored.name, config.name));
      else if (rows === 'unreadable') warnings.push(`The view ${stored.name} of ${config.name} cannot be read.`);
      objects.push({ ...object, columns: withSamples(object.columns, typeof rows === 'string' ? [] : rows) });
    }
    return {
      objects,
      complete: true,
      readAt: new Date().toISOString(),
      warnings,
    };
  } finally {
    await session.close();
  }
}

type Row = Readonly<Record<string, DatabaseValue>>;

/** What the file says of its tables and views. */
interface Description {
  of(stored: StoredObject): Readonly<Record<'tables' | 'columns' | 'constraints', readonly Row[]>>;
}

async function describe(session: DuckDbSession, config: DuckdbConfig): Promise<Description> {
  const here = `WHERE database_name = ${attachedName(config)} AND NOT internal`;
  const found = {
    tables: await session.query(
      `SELECT schema_name, table_name, comment, estimated_size, false AS is_view FROM duckdb_tables() ${here}
       UNION ALL SELECT schema_name, view_name, comment, NULL, true FROM duckdb_views() ${here}`,
    ),
    columns: await session.query(
      `SELECT schema_name, table_name, column_name, data_type, is_nullable, comment
       FROM duckdb_columns() ${here} ORDER BY schema_name, table_name, column_index`,
    ),
    constraints: await session.query(
      `SELECT schema_name, table_name, constraint_type, CAST(to_json(constraint_column_names) AS VARCHAR) AS columns,
         referenced_table, CAST(to_json(referenced_column_names) AS VARCHAR) AS referenced
       FROM duckdb_constraints() WHERE database_name = ${attachedName(config)}
         AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') ORDER BY constraint_index`,
    ),
  };
  const key = (schema: DatabaseValue | undefined, table: DatabaseValue | undefined): string =>
    JSON.stringify([schema, table]);
  const byTable = (rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> =>
    groupBy(rows, (row) => key(row['schema_name'], row['table_name']));
  const [tables, columns, constraints] = [found.tables, found.columns, found.constraints].map(byTable);
  return {
    of({ schema, table }) {
      const name = key(schema, table);
      return {
        tables: tables?.get(name) ?? [],
        columns: columns?.get(name) ?? [],
        constraints: constraints?.get(name) ?? [],
      };
    },
  };
}

function groupBy(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

function dataObject(stored: StoredObject, file: string, described: Description): DataObject {
  const own = described.of(stored);
  const [table] = own.tables;
  const { constraints } = own;
  const primaryKey = constraints
    .filter((row) => row['constraint_type'] === 'PRIMARY KEY')
    .flatMap((row) => names(row['columns']));
  const foreignKeys = constraints
    .filter((row) => row['constraint_type'] === 'FOREIGN KEY')
    .map((row) => foreignKey(row, stored.schema));
  const columns = own.columns.map((row) => columnOf(row, primaryKey, foreignKeys));
  const estimate = table?.['estimated_size'];
  return {
    name: stored.name,
    kind: table?.['is_view'] === true ? 'view' : 'table',
    path: [stored.name],
    file,
    ...commentOf(table),
    columns,
    primaryKey,
    foreignKeys,
    statistics: {
      columnCount: columns.length,
      ...(estimate !== undefined && estimate !== null && { rowEstimate: Number(estimate) }),
    },
  };
}

function columnOf(row: Row, primaryKey: readonly string[], foreignKeys: readonly ForeignKey[]): Column {
  const name = String(row['column_name']);
  const [reference] = foreignKeys.flatMap(({ columns, references }) => {
    const column = references.columns[columns.indexOf(name)];
    return column === undefined ? [] : [{ dataObject: references.dataObject, column }];
  });
  return {
    ...catalogColumn({ name, type: String(row['data_type']) }),
    nullable: row['is_nullable'] === true,
    primaryKey: primaryKey.includes(name),
    ...commentOf(row),
    ...(reference && { references: reference }),
  };
}

/** A foreign key refers to a table of its own schema. */
function foreignKey(row: Row, schema: string): ForeignKey {
  const columns = names(row['columns']);
  return {
    name: columns.join(', '),
    columns,
    references: {
      dataObject: objectName(schema, String(row['referenced_table'])),
      columns: names(row['referenced']),
    },
  };
}

function names(json: DatabaseValue | undefined): readonly string[] {
  return typeof json === 'string' ? ((JSON.parse(json) as readonly string[] | null) ?? []) : [];
}

function commentOf(row: Row | undefined): { readonly comment?: string } {
  const comment = row?.['comment'];
  return typeof comment === 'string' && comment !== '' ? { comment } : {};
}

/** Number of example rows. */
const shownRows = 20;

/** The first rows as texts, or why a view has none. */
async function firstRows(
  session: DuckDbSession,
  config: DuckdbConfig,
  { schema, table }: StoredObject,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly unknown[])[] | 'late' | 'unreadable'> {
  const path = [attachedAs(config), schema, table].map(quoteIdentifier).join('.');
  const sql = `SELECT COLUMNS(*)::VARCHAR FROM ${path} LIMIT ${shownRows}`;
  try {
    const found = await firstRowsInTime(signal, config.statementTimeoutMs, (either) =>
      session.table(sql, { signal: either }),
    );
    return found?.rows ?? 'late';
  } catch {
    signal?.throwIfAborted();
    return 'unreadable';
  }
}

function withSamples(columns: readonly Column[], rows: readonly (readonly unknown[])[]): readonly Column[] {
  return columns.map((column, index) => ({
    ...column,
    ...sampleValues(
      column.name,
      rows.map((row) => row[index]),
    ),
  }));
}
