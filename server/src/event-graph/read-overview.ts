import { basename } from 'node:path';
import { entityTypeColours } from '../../../protocol/entity-type-colours.ts';
import type { GraphOverview, GraphTableView } from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { countedTables, graphViews, totalsOf } from '../graph-schema/graph-schema.ts';
import { storageSchema } from '../graph-schema/storage-tables.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import { propertiesColumns, propertiesTable } from '../graph-schema/table-names.ts';
import type { ImportNote } from '../../../protocol/import-notes.ts';
import { importNotes } from '../../../protocol/shapes/import-note-shapes.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { isoTime } from './iso-time.ts';
import { defaultEntityType } from './default-entity-type.ts';
import { readRunNotes } from './read-run-notes.ts';
import { readTypeOrder } from './read-type-order.ts';

/** Summary of a graph: counts and names. */
export async function readOverview(
  store: StoreReader,
  path: string,
  options: StatementOptions,
): Promise<GraphOverview> {
  const [totals] = await store.query(
    `SELECT ${Object.entries(countedTables)
      .map(([total, table]) => `(SELECT count(*) FROM ${table}) AS "${total}"`)
      .join(', ')},
      (SELECT CAST(min(time) AS VARCHAR) FROM event) AS first, (SELECT CAST(max(time) AS VARCHAR) FROM event) AS last`,
    options,
  );
  const types = await store.query(
    'SELECT entity_type AS name, count(*) AS n FROM entity GROUP BY 1 ORDER BY 2 DESC, 1',
    options,
  );
  const activities = await store.query(
    'SELECT activity AS name, count(*) AS n FROM event GROUP BY 1 ORDER BY 2 DESC, 1',
    options,
  );
  const elements = await store.query('SELECT DISTINCT element AS name FROM event', options);
  const [run] = await store.query('SELECT counts, warnings FROM run', options);
  const { slice, imported = '' } = await readRunNotes(store, options);
  const tables = await readTables(store, options);
  const colours = entityTypeColours(await readTypeOrder(store, options));
  const mapEntityType = await defaultEntityType(store, options);
  return {
    name: await readGraphName(store, path, options),
    store: path,
    imported,
    slice,
    totals: totalsOf((_, total) => Number(totals?.[total])),
    entityTypes: types.map((row) => ({
      name: String(row['name']),
      entities: Number(row['n']),
      colour: colours.get(String(row['name'])) ?? 'var(--vscode-foreground)',
    })),
    mapEntityType,
    activities: activities.map((row) => ({ name: String(row['name']), events: Number(row['n']) })),
    ...bound('from', totals?.['first']),
    ...bound('to', totals?.['last']),
    elements: elementViews(tables, elementNames(run?.['counts'], elements)),
    notes: notesOf(run?.['counts'], run?.['warnings']),
    rules: await judgedRules(store, tables, options),
  };
}

export async function readGraphName(store: StoreReader, path: string, options: StatementOptions): Promise<string> {
  const [run] = await store.query('SELECT entity FROM run', options);
  return String(run?.['entity'] ?? basename(path));
}

async function judgedRules(
  store: StoreReader,
  tables: readonly GraphTableView[],
  options: StatementOptions,
): Promise<number> {
  if (!tables.some(({ name }) => name === 'rule_violation')) return 0;
  const [row] = await store.query('SELECT count(*) AS rules FROM rule', options);
  return Number(row?.['rules']);
}

/**
 * Tables in schema order, whether stored as tables or as views, then the views that are named after types and elements,
 * then those of the schema, with their columns.
 */
export async function readTables(store: StoreReader, options: StatementOptions): Promise<readonly GraphTableView[]> {
  const rows = await store.query(
    `SELECT table_name AS name, column_name AS column, data_type AS type FROM duckdb_columns()
     WHERE NOT internal AND schema_name <> '${storageSchema}' AND (database_name <> 'temp' OR table_name IN (SELECT view_name FROM duckdb_views() WHERE NOT temporary))
     -- A view with codes may stand in front of one with texts (coded-views.ts).
     QUALIFY row_number() OVER (PARTITION BY table_name, column_name ORDER BY database_name = 'temp') = 1
     ORDER BY table_name, column_index`,
    options,
  );
  const places = new Set((await storedTables(store, options)).map(({ name }) => name));
  const keywords = await store.query(
    "SELECT keyword_name AS word FROM duckdb_keywords() WHERE keyword_category = 'reserved'",
    options,
  );
  const reserved = new Set(keywords.map(({ word }) => String(word)));
  const tables = new Map<string, Omit<GraphTableView, 'columns'> & { columns: { name: string; type: string }[] }>();
  for (const row of rows) {
    const name = String(row['name']);
    const sql = reserved.has(name) ? duckdb.identifiers.quote(name) : name;
    const table = tables.get(name) ?? { name, sql, kind: places.has(name) ? 'table' : 'view', columns: [] };
    table.columns.push({ name: String(row['column']), type: String(row['type']) });
    tables.set(name, table);
  }
  const views = new Set(Object.keys(graphViews));
  const named = [...tables.keys()].filter((name) => !places.has(name) && !views.has(name));
  return [...places, ...named, ...views].flatMap((name) => tables.get(name) ?? []);
}

/** In file order, which numbers the tables of properties. */
function elementNames(counts: unknown, found: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const parsed = parse(counts) as { elements?: readonly { activityName?: unknown }[] } | undefined;
  const names = parsed?.elements?.map(({ activityName }) => String(activityName));
  return names ?? found.map((row) => String(row['name']));
}

function elementViews(tables: readonly GraphTableView[], names: readonly string[]): GraphOverview['elements'] {
  return names.map((name, index) => {
    const table = tables.find((each) => each.name === propertiesTable(index + 1));
    const properties = (table?.columns ?? [])
      .map((column) => column.name)
      .filter((column) => !propertiesColumns.includes(column));
    return { number: index + 1, name, properties };
  });
}

/** Records of other versions may have warnings as texts only, or parts that are unknown here. */
function notesOf(counts: unknown, warnings: unknown): readonly ImportNote[] {
  const { notes } = (parse(counts) ?? {}) as { notes?: unknown };
  const isKnown = importNotes(notes, '') === undefined;
  return isKnown ? (notes as readonly ImportNote[]) : textList(warnings).map((warning) => [warning]);
}

function textList(value: unknown): readonly string[] {
  const parsed = parse(value);
  const list = Array.isArray(parsed) ? parsed : ((parsed as { items?: readonly unknown[] } | undefined)?.items ?? []);
  return list.map(String);
}

function parse(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function bound<Key extends 'from' | 'to'>(key: Key, value: unknown): Partial<Record<Key, string>> {
  const time = isoTime(value);
  return time === undefined ? {} : ({ [key]: time } as Partial<Record<Key, string>>);
}
