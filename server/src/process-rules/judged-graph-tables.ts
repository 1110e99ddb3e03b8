import { storedTables } from '../graph-schema/stored-tables.ts';
import { duckdb } from '../dialects/duckdb.ts';
import type { BuildingDialect } from '../dialects/dialect.ts';
import {
  type NamedTable,
  entityPropertiesColumns,
  entryOf,
  namedTables,
  propertiesColumns,
} from '../graph-schema/table-names.ts';
import type { JudgedGraphTables, PropertyTable } from '../rule-kinds/judged-tables.ts';
import { momentSql } from '../rule-kinds/judged-things.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

interface TableColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Queries a graph in its data source. */
export type SourceQuery = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Reads it of a store. Rejects as the store does. */
export async function judgedGraphTables(store: StoreReader, options: StatementOptions): Promise<JudgedGraphTables> {
  const columns = await store.query(
    'SELECT table_name AS "table", column_name AS name, data_type AS type FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index',
    options,
  );
  const tables = storeTables;
  const [row] = await store.query(hasCorrelationsSql(tables), options);
  return {
    ...tables,
    properties: propertyTables(await storedTables(store, options), columns.map(columnOf)),
    entityTypes: await entityTypesIn((sql) => store.query(sql, options), tables),
    hasCorrelations: Number(row?.['found']) > 0,
  };
}

/** Reads it of a graph in its data source. Rejects as the query does. @param path the parts of the name of its schema */
export async function sourceGraphTables(
  query: SourceQuery,
  dialect: BuildingDialect,
  path: readonly string[],
): Promise<JudgedGraphTables> {
  const { identifiers, literals } = dialect;
  const inCatalog = path.slice(0, -1).map((part) => `${identifiers.quote(part)}.`);
  const columns = await query(
    `SELECT table_name AS "table", column_name AS name, data_type AS type FROM ${inCatalog.join('')}information_schema.columns
WHERE table_schema = ${literals.quote(path.at(-1) ?? '')} ORDER BY table_name, ordinal_position`,
  );
  const found = columns.map(columnOf);
  const numbersOf = (of: 'properties_<n>' | 'entity_properties_<n>'): readonly number[] =>
    [...new Set(found.flatMap(({ table }) => entryOf(of, table) ?? []))].toSorted((one, other) => one - other);
  const named = namedTables(numbersOf('properties_<n>'), numbersOf('entity_properties_<n>'));
  const tables = sourceTables(dialect, path);
  const [row] = await query(hasCorrelationsSql(tables));
  const graph = {
    ...tables,
    properties: propertyTables(named, found),
    entityTypes: await entityTypesIn(query, tables),
    hasCorrelations: Number(row?.['found']) > 0,
  };
  return withMoment(graph, query);
}

/** Those of the imported text, as the record of the run has them; of a graph without one, those of its entities. */
async function entityTypesIn(
  query: SourceQuery,
  { table, dialect }: Pick<JudgedGraphTables, 'table' | 'dialect'>,
): Promise<readonly string[]> {
  const [run] = await query(`SELECT CAST(counts AS ${dialect.types.usual.text}) AS counts FROM ${table('run')}`);
  const { entityTypes = [] } = JSON.parse(String(run?.['counts'] ?? '{}')) as { entityTypes?: readonly string[] };
  if (entityTypes.length > 0) return entityTypes;
  const rows = await query(`SELECT DISTINCT entity_type AS type FROM ${table('entity')} ORDER BY 1`);
  return rows.map(({ type }) => String(type));
}

/**
 * Reads the time up to which a graph has events, for an engine whose statements would read it several times. Rejects as
 * the query does.
 */
export async function withMoment(graph: JudgedGraphTables, query: SourceQuery): Promise<JudgedGraphTables> {
  const sql = momentTextSql(graph);
  if (sql === undefined) return graph;
  const [moment] = await query(sql);
  const text = moment?.['now'];
  return atMoment(graph, typeof text === 'string' ? text : undefined);
}

/** The statement that `withMoment` runs, if any. */
export function momentTextSql(graph: JudgedGraphTables): string | undefined {
  if (!graph.dialect.build.judging.readOnce) return undefined;
  return `SELECT CAST(now AS VARCHAR) AS now FROM (${momentSql(graph)}) AS moment`;
}

/** @param text the result of `momentTextSql`; undefined for a graph without events */
export function atMoment(graph: JudgedGraphTables, text: string | undefined): JudgedGraphTables {
  const { literals, times } = graph.dialect;
  return { ...graph, now: `CAST(${text === undefined ? 'NULL' : literals.quote(text)} AS ${times.type})` };
}

/** The tables of a store that is opened alone. Names of the schema need no quotes. */
export const storeTables: Pick<JudgedGraphTables, 'dialect' | 'table'> = { dialect: duckdb, table: (name) => name };

/** The tables of a graph in its data source. @param path the parts of the name of its schema */
export function sourceTables(
  dialect: BuildingDialect,
  path: readonly string[],
): Pick<JudgedGraphTables, 'dialect' | 'table'> {
  const { quote } = dialect.identifiers;
  return { dialect, table: (name) => [...path, name].map(quote).join('.') };
}

function hasCorrelationsSql({ table }: Pick<JudgedGraphTables, 'table'>): string {
  return `SELECT CASE WHEN EXISTS (SELECT 1 FROM ${table('event_entity')} WHERE qualifier <> 'self') THEN 1 ELSE 0 END AS found`;
}

function columnOf(row: Readonly<Record<string, unknown>>): TableColumn {
  return { table: String(row['table']), name: String(row['name']), type: String(row['type']) };
}

/** The property tables that have properties. */
function propertyTables(tables: readonly NamedTable[], columns: readonly TableColumn[]): readonly PropertyTable[] {
  return tables.flatMap(({ name, schema, table }) => {
    if (table.isPerEntryOf === undefined) return [];
    const isOfEvents = schema === 'properties_<n>';
    const fixed = isOfEvents ? propertiesColumns : entityPropertiesColumns;
    const own = columns.filter((column) => column.table === name && !fixed.includes(column.name));
    if (own.length === 0) return [];
    return [{ name, isOfEvents, properties: own.map((each) => each.name), types: own.map(({ type }) => type) }];
  });
}
