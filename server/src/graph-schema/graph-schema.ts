import type { GraphTotals } from '../../../protocol/import-progress.ts';

/** Column type in DuckDB's notation. */
export type ColumnType = 'BIGINT' | 'BOOLEAN' | 'DOUBLE' | 'INTEGER' | 'JSON' | 'TIMESTAMP' | 'VARCHAR';

type Columns = Readonly<Record<string, ColumnType>>;

/** A list of the file whose entries have tables of their own. */
export type EntryList = 'elements' | 'entities';

/** A table of the store. A row of `graphTables` must define all properties to compile. */
export interface GraphTable<Column extends string = string> {
  /** What one row is, for the documentation. */
  readonly row: string;
  /** In order. A table with property columns starts with these. */
  readonly columns: Readonly<Record<Column, ColumnType>>;
  /**
   * One table exists for each entry of a list of the file, with the entry's number as `<n>` and a column for each of
   * its properties.
   */
  readonly isPerEntryOf?: EntryList;
  /** Only entries whose rows are versions of their entities (`validFrom`) have it. */
  readonly isOfVersions?: true;
  /** A unique key. Exports sort by it, so that equal graphs give equal files. */
  readonly key: readonly Column[];
  /** Sort order of the rows in a store; empty for any order. */
  readonly sortedBy: readonly Column[];
  /** Whether a graph inside its source has it; otherwise a fetched graph gets it on this machine. */
  readonly isInSource: boolean;
  /**
   * How the embedded engine creates it: a view has its tables in the schema of `storage-tables.ts`. In fetched graphs,
   * all are tables.
   */
  readonly embeddedAs: 'table' | 'view' | 'table or view';
  /** Contained in table exports (CSV, Parquet). */
  readonly isExported: boolean;
  /** Whether every store of this version has it. */
  readonly isInEveryStore: boolean;
}

/** Version of the tables, columns and views below; each store contains its own (`run.format_version`). */
export const storeVersion = 2;

/**
 * The tables of the store, in an order valid for building and copying. A new table is a row here and the
 * statement that fills it.
 */
export const graphTables = {
  entity: table({
    row: 'an entity: one for each distinct entity type and key over all elements',
    columns: { id: 'BIGINT', entity_type: 'VARCHAR', key: 'VARCHAR' },
    key: ['id'],
    sortedBy: ['id'],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: true,
  }),
  event: table({
    row: 'an event: the start of a row of its element, its change or its end, with the entity of that row; ids are ranks in time',
    columns: {
      id: 'BIGINT',
      element: 'VARCHAR',
      activity: 'VARCHAR',
      lifecycle: 'VARCHAR',
      time: 'TIMESTAMP',
      entity_id: 'BIGINT',
    },
    key: ['id'],
    sortedBy: ['id'],
    isInSource: true,
    embeddedAs: 'view',
    isExported: true,
    isInEveryStore: true,
  }),
  service_time: table({
    row: 'the end of an activity with its start, and the time between; graphs without ends have none',
    columns: { start_event_id: 'BIGINT', end_event_id: 'BIGINT', milliseconds: 'DOUBLE' },
    key: ['start_event_id'],
    sortedBy: ['start_event_id'],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: false,
  }),
  relation: table({
    row: 'a pair of entities that a relationship relates',
    columns: { relationship: 'VARCHAR', source_entity_id: 'BIGINT', target_entity_id: 'BIGINT' },
    key: ['relationship', 'source_entity_id', 'target_entity_id'],
    sortedBy: ['relationship', 'source_entity_id', 'target_entity_id'],
    isInSource: true,
    embeddedAs: 'table or view',
    isExported: true,
    isInEveryStore: true,
  }),
  event_entity: table({
    row: "a correlation of an event with an entity: its own (qualifier `self`), a related one (the relationship's name) or one that its row names",
    columns: { event_id: 'BIGINT', entity_id: 'BIGINT', qualifier: 'VARCHAR' },
    key: ['event_id', 'entity_id', 'qualifier'],
    sortedBy: [],
    isInSource: true,
    embeddedAs: 'view',
    isExported: true,
    isInEveryStore: true,
  }),
  directly_follows: table({
    row: 'two events of which one directly follows the other within an entity, without ends',
    columns: { entity_id: 'BIGINT', source_event_id: 'BIGINT', target_event_id: 'BIGINT' },
    key: ['entity_id', 'source_event_id'],
    sortedBy: [],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: true,
  }),
  'properties_<n>': table({
    row: 'the properties of an event of the n-th element, a column each',
    columns: { event_id: 'BIGINT' },
    isPerEntryOf: 'elements',
    key: ['event_id'],
    sortedBy: [],
    isInSource: true,
    embeddedAs: 'table or view',
    isExported: true,
    isInEveryStore: true,
  }),
  'entity_properties_<n>': table({
    row: 'the properties of an entity of the n-th entry of `entities`, a column each',
    columns: { entity_id: 'BIGINT' },
    isPerEntryOf: 'entities',
    key: ['entity_id'],
    sortedBy: [],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: true,
  }),
  'entity_values_<n>': table({
    row: 'the properties of an entity since a time, NULL for from the start, where the n-th entry of `entities` has `validFrom`; ranks are in the order of time',
    columns: { entity_id: 'BIGINT', value_time: 'TIMESTAMP', value_rank: 'BIGINT' },
    isPerEntryOf: 'entities',
    isOfVersions: true,
    key: ['entity_id', 'value_rank'],
    sortedBy: [],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: false,
  }),
  process_map: table({
    row: 'how often one activity follows another within entities of a type, by class of the time between; without a source, how often entities begin so',
    columns: {
      entity_type: 'VARCHAR',
      source_activity: 'VARCHAR',
      source_lifecycle: 'VARCHAR',
      target_activity: 'VARCHAR',
      target_lifecycle: 'VARCHAR',
      duration_class: 'INTEGER',
      steps: 'BIGINT',
      milliseconds: 'DOUBLE',
    },
    key: [
      'entity_type',
      'source_activity',
      'source_lifecycle',
      'target_activity',
      'target_lifecycle',
      'duration_class',
    ],
    sortedBy: [],
    isInSource: false,
    embeddedAs: 'table',
    isExported: true,
    // Graphs of earlier imports have none.
    isInEveryStore: false,
  }),
  process_map_activity: table({
    row: 'how many distinct events of an activity belong to entities of a type',
    columns: { entity_type: 'VARCHAR', activity: 'VARCHAR', lifecycle: 'VARCHAR', events: 'BIGINT' },
    key: ['entity_type', 'activity', 'lifecycle'],
    sortedBy: ['entity_type', 'activity', 'lifecycle'],
    isInSource: false,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: false,
  }),
  process_map_path: table({
    row: 'how long it takes within entities of a type from one activity to the next; without lifecycles, whatever these are',
    columns: {
      entity_type: 'VARCHAR',
      source_activity: 'VARCHAR',
      source_lifecycle: 'VARCHAR',
      target_activity: 'VARCHAR',
      target_lifecycle: 'VARCHAR',
      steps: 'BIGINT',
      median: 'DOUBLE',
      p90: 'DOUBLE',
    },
    key: ['entity_type', 'source_activity', 'source_lifecycle', 'target_activity', 'target_lifecycle'],
    sortedBy: ['entity_type', 'source_activity', 'source_lifecycle', 'target_activity', 'target_lifecycle'],
    isInSource: false,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: false,
  }),
  rule: table({
    row: 'a rule of the process, as the import judged it; graphs of files without rules have none',
    columns: {
      number: 'INTEGER',
      name: 'VARCHAR',
      severity: 'VARCHAR',
      at_least: 'DOUBLE',
      judged: 'BIGINT',
      concerned: 'BIGINT',
      kept: 'BIGINT',
      broken: 'BIGINT',
      pending: 'BIGINT',
      undecided: 'BIGINT',
      holds: 'BOOLEAN',
      error: 'VARCHAR',
    },
    key: ['number'],
    sortedBy: ['number'],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: false,
  }),
  rule_violation: table({
    row: 'an expectation of a rule (by its place, from 1) that an entity or an event breaks, with the number of events or entities, or the microseconds, that were found',
    columns: { rule: 'INTEGER', entity_id: 'BIGINT', event_id: 'BIGINT', expectation: 'INTEGER', found: 'BIGINT' },
    key: ['rule', 'entity_id', 'event_id', 'expectation'],
    sortedBy: ['rule'],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: false,
  }),
  measure: table({
    row: 'a measure of the process, with its numbers; times are milliseconds; graphs of files without measures have none',
    columns: {
      number: 'INTEGER',
      name: 'VARCHAR',
      entity_type: 'VARCHAR',
      activity: 'VARCHAR',
      kind: 'VARCHAR',
      is_default: 'BOOLEAN',
      severity: 'VARCHAR',
      count: 'BIGINT',
      missing: 'BIGINT',
      sum: 'DOUBLE',
      mean: 'DOUBLE',
      min: 'DOUBLE',
      max: 'DOUBLE',
      median: 'DOUBLE',
      p90: 'DOUBLE',
      met: 'BOOLEAN',
      error: 'VARCHAR',
    },
    key: ['number'],
    sortedBy: ['number'],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: false,
  }),
  measure_value: table({
    row: 'the value of a measure for an entity or an event, NULL if it has none; of a time from each of several events, with the event that it begins with',
    columns: { measure: 'INTEGER', entity_id: 'BIGINT', event_id: 'BIGINT', value: 'DOUBLE' },
    key: ['measure', 'entity_id', 'event_id'],
    sortedBy: ['measure'],
    isInSource: true,
    embeddedAs: 'table',
    isExported: true,
    isInEveryStore: false,
  }),
  run: table({
    row: 'the import that built the graph, one row in all',
    columns: {
      format_version: 'INTEGER',
      id: 'VARCHAR',
      entity: 'VARCHAR',
      data_source: 'VARCHAR',
      started: 'TIMESTAMP',
      config: 'VARCHAR',
      config_hash: 'VARCHAR',
      counts: 'JSON',
      warnings: 'JSON',
      versions: 'JSON',
      steps: 'JSON',
      durations_ms: 'JSON',
      slice: 'JSON',
    },
    key: ['id'],
    sortedBy: [],
    isInSource: true,
    embeddedAs: 'table',
    // Differs between imports of the same data.
    isExported: false,
    isInEveryStore: true,
  }),
} as const;

/** A key of `graphTables`: `properties_<n>` stands for all property tables. */
export type GraphTableName = keyof typeof graphTables;

/** A column of a table. */
export type GraphColumn<Table extends GraphTableName> = keyof (typeof graphTables)[Table]['columns'] & string;

/** Tables of the rules and measures of the file: filled once the graph is built. */
export type RuleTableName = 'rule' | 'rule_violation';
export type MeasureTableName = 'measure' | 'measure_value';

/** Tables that the build fills; all others follow from the finished graph. */
export type BuiltTableName = Exclude<GraphTableName, RuleTableName | MeasureTableName | 'run'>;

/** Tables missing in a graph inside its source, which follow from the others. */
export type AbsentInSource = {
  [Table in GraphTableName]: (typeof graphTables)[Table]['isInSource'] extends false ? Table : never;
}[GraphTableName];

/** Tables whose rows are counted: in the import summary and run record, by `check`, `diff` and in the panel. */
export const countedTables = {
  events: 'event',
  entities: 'entity',
  correlations: 'event_entity',
  relations: 'relation',
  directlyFollows: 'directly_follows',
} as const satisfies Readonly<Record<keyof GraphTotals, GraphTableName>>;

/** The totals of a graph, in the order of `countedTables`. */
export function totalsOf(rowsOf: (table: GraphTableName, total: keyof GraphTotals) => number): GraphTotals {
  const counted = Object.entries(countedTables).map(([total, table]) => [
    total,
    rowsOf(table, total as keyof GraphTotals),
  ]);
  return Object.fromEntries(counted) as Record<keyof GraphTotals, number>;
}

/** A view of the store. */
interface GraphView {
  readonly columns: Columns;
  /** Its query; `graph` qualifies the tables. */
  readonly select: (graph: string) => string;
}

/** The views, with the names common in the literature on event knowledge graphs (PromG and tutorials). */
export const graphViews = {
  node_event: {
    columns: {
      event_id: 'BIGINT',
      activity: 'VARCHAR',
      timestamp: 'TIMESTAMP',
      lifecycle: 'VARCHAR',
      element: 'VARCHAR',
    },
    select: (graph) => `SELECT id AS event_id, activity, time AS timestamp, lifecycle, element FROM ${graph}.event`,
  },
  node_entity: {
    columns: { entity_id: 'BIGINT', entity_type: 'VARCHAR', key: 'VARCHAR', uid: 'VARCHAR' },
    select: (graph) => `SELECT id AS entity_id, entity_type, key, entity_type || key AS uid FROM ${graph}.entity`,
  },
  edge_corr: {
    columns: { event_id: 'BIGINT', entity_id: 'BIGINT', qualifier: 'VARCHAR' },
    select: (graph) => `SELECT event_id, entity_id, qualifier FROM ${graph}.event_entity`,
  },
  edge_df: {
    columns: { source_event_id: 'BIGINT', target_event_id: 'BIGINT', entity_id: 'BIGINT', entity_type: 'VARCHAR' },
    select: (graph) => `SELECT edge.source_event_id, edge.target_event_id, edge.entity_id, entity.entity_type
    FROM ${graph}.directly_follows AS edge JOIN ${graph}.entity AS entity ON entity.id = edge.entity_id`,
  },
  edge_rel: {
    columns: { relationship: 'VARCHAR', source_entity_id: 'BIGINT', target_entity_id: 'BIGINT' },
    select: (graph) => `SELECT relationship, source_entity_id, target_entity_id FROM ${graph}.relation`,
  },
} as const satisfies Readonly<Record<string, GraphView>>;

/** Keeps literal types of a row, and restricts its keys to its columns. */
function table<const Definition extends Columns, const InSource extends boolean>(
  row: Omit<GraphTable<keyof Definition & string>, 'columns' | 'isInSource'> & {
    readonly columns: Definition;
    readonly isInSource: InSource;
  },
): typeof row {
  return row;
}
