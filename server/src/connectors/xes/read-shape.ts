import type { DraftLifecycle } from '../../draft/draft-model.ts';
import { lifecycleOf } from '../../model/lifecycle-values.ts';
import type { DuckDbSession, StatementOptions } from '../../store/duckdb-store.ts';
import { type XesHead, classifierNames, withoutExported } from '../../event-logs/xes/xes-head.ts';
import { sanitizeNames } from '../log-file/sanitize-names.ts';
import { valueFacts, valueFactsSql, valueTypeOf } from '../log-file/value-type.ts';

/** The data objects of an XES log with their columns. */
export interface XesShape {
  /** The name of the log; undefined without one. */
  readonly name: string | undefined;
  /** Each trace has a unique name. */
  readonly hasNames: boolean;
  readonly traces: number;
  readonly events: number;
  readonly traceAttributes: readonly XesAttribute[];
  readonly eventAttributes: readonly XesAttribute[];
  /** Some traces have no events. */
  readonly hasEmptyTraces: boolean;
  /** The column with the activities; undefined without any. */
  readonly activity: XesActivity | undefined;
  /** The starts and ends among the transitions of events; undefined without both. */
  readonly lifecycle: DraftLifecycle | undefined;
  /** Attributes of the log beyond those of every exported log. */
  readonly head: XesHead;
}

export interface XesAttribute {
  readonly name: string;
  readonly column: string;
  /** DuckDB type. */
  readonly type: string;
}

/** The `concept:name` of events or, in a log without it, their class by a classifier. */
export interface XesActivity {
  readonly column: string;
  /** The attributes whose values the column joins; empty for a column of an attribute. */
  readonly joined: readonly XesAttribute[];
}

const traceColumns = ['trace_id', 'position'] as const;
const eventColumns = ['position', 'trace_id'] as const;

/** Finds names and attributes in `xesTables`. */
export async function readXesShape(database: DuckDbSession, options: StatementOptions): Promise<XesShape> {
  const [log] = await database.query(
    `SELECT (SELECT value FROM log_value WHERE name = 'concept:name' LIMIT 1) AS name,
       (SELECT count(*) FROM trace) AS traces, (SELECT count(*) FROM event) AS events,
       (SELECT count(DISTINCT value) FROM trace_value WHERE name = 'concept:name' AND value <> '') AS names,
       (SELECT count(*) FROM trace ANTI JOIN event ON event.trace = trace.position) AS empty`,
    options,
  );
  const number = (column: string): number => Number(log?.[column] ?? 0);
  const name = log?.['name'];
  const eventAttributes = await readAttributes(database, 'event', eventColumns, options);
  const head = await readHead(database, options);
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name : undefined,
    hasNames: number('names') === number('traces'),
    traces: number('traces'),
    events: number('events'),
    traceAttributes: await readAttributes(database, 'trace', traceColumns, options),
    eventAttributes,
    hasEmptyTraces: number('empty') > 0,
    activity: activityOf(eventAttributes, head),
    lifecycle: await readLifecycle(database, eventAttributes, options),
    head: withoutExported(head),
  };
}

async function readLifecycle(
  database: DuckDbSession,
  attributes: readonly XesAttribute[],
  options: StatementOptions,
): Promise<DraftLifecycle | undefined> {
  const transition = attributes.find(({ name }) => name === 'lifecycle:transition');
  if (!transition) return undefined;
  const rows = await database.query(
    `SELECT DISTINCT value FROM event_value WHERE name = 'lifecycle:transition' AND value IS NOT NULL`,
    options,
  );
  return lifecycleOf(
    transition.column,
    rows.map(({ value }) => String(value)),
  );
}

function activityOf(attributes: readonly XesAttribute[], { classifiers }: XesHead): XesActivity | undefined {
  const named = attributes.find(({ name }) => name === 'concept:name');
  if (named) return { column: named.column, joined: [] };
  const names = attributes.map(({ name }) => name);
  for (const classifier of classifiers.filter(({ scope }) => scope === 'event')) {
    const parts = (classifierNames(classifier, names) ?? []).flatMap(
      (name) => attributes.find((each) => each.name === name) ?? [],
    );
    const [only, ...others] = parts;
    if (!only) continue;
    if (others.length === 0) return { column: only.column, joined: [] };
    const taken = [...eventColumns, ...attributes.map(({ column }) => column)];
    return { column: sanitizeNames([classifier.name], taken)[0] ?? '', joined: parts };
  }
  return undefined;
}

async function readHead(database: DuckDbSession, options: StatementOptions): Promise<XesHead> {
  const rows = await database.query('SELECT kind, value FROM log_head ORDER BY rowid', options);
  const parts = (kind: keyof XesHead): readonly unknown[] =>
    rows.filter((row) => row['kind'] === kind).map((row) => JSON.parse(String(row['value'])) as unknown);
  return {
    attributes: parts('attributes'),
    extensions: parts('extensions'),
    globals: parts('globals'),
    classifiers: parts('classifiers'),
  } as unknown as XesHead;
}

/** XES types in the words of OCEL. */
const wordOf: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'float',
  boolean: 'boolean',
  date: 'time',
};

async function readAttributes(
  database: DuckDbSession,
  kind: 'trace' | 'event',
  taken: readonly string[],
  options: StatementOptions,
): Promise<readonly XesAttribute[]> {
  const rows = await database.query(
    `SELECT name, min(rowid) AS place, CASE WHEN min(type) = max(type) THEN min(type) ELSE 'string' END AS type, ${valueFactsSql}
     FROM ${kind}_value GROUP BY name ORDER BY place`,
    options,
  );
  const names = rows.map((row) => String(row['name']));
  const columns = sanitizeNames(names, taken);
  return rows.map((row, index) => ({
    name: names[index] ?? '',
    column: columns[index] ?? '',
    type: valueTypeOf(valueFacts(row, wordOf[String(row['type'])] ?? 'string')),
  }));
}
