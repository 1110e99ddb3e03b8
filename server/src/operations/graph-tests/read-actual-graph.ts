import { rowsDatabase } from '../../import/build/staging-steps.ts';
import { withOptimizer } from '../../import/import-in-memory.ts';
import type { RuleResult } from '../../../../protocol/process-rules.ts';
import type { ProcessRule } from '../../model/process-rule.ts';
import { judgeRules } from '../../process-rules/judge-rules.ts';
import type { ActualEntity, ActualEvent, ActualGraph } from '../../graph-tests/actual-graph.ts';
import { storedNamesSql } from '../../graph-schema/stored-tables.ts';
import type { Expectations } from '../../graph-tests/graph-tests.ts';
import type { BuiltTable } from '../../import/build/compile-build.ts';
import { entryOf, propertiesColumns } from '../../graph-schema/table-names.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';

type Reader = Pick<DuckDbSession, 'query'>;

/** The tables that the expectations of a test need; undefined for all tables, which rules and queries may read. */
export function tablesFor(expect: Expectations): ReadonlySet<BuiltTable> | undefined {
  if ((expect.rules ?? []).length + (expect.queries ?? []).length > 0) return undefined;
  return new Set<BuiltTable>([
    'event',
    ...(expect.relations ? (['relation'] as const) : []),
    ...(expect.directlyFollows ? (['directly_follows'] as const) : []),
    ...(wantsProperties(expect) ? (['properties_<n>'] as const) : []),
  ]);
}

function wantsProperties({ events, eventsInclude }: Expectations): boolean {
  return [events, eventsInclude].some((list) => list?.items.some(({ properties }) => properties.length > 0));
}

/**
 * Reads the parts of a small graph for which a test has expectations; other lists are empty. Sorts in JavaScript, because
 * DuckDB needs longer for a few rows. Rejects with `DuckDbError`.
 */
export async function readActualGraph(
  db: Reader,
  graph: string,
  expect: Expectations,
): Promise<Omit<ActualGraph, 'rules' | 'queries'>> {
  const entities = new Map(
    (await db.query(`SELECT id, entity_type, key FROM ${graph}.entity`))
      .toSorted(byNumbers('id'))
      .map((row) => [String(row['id']), { type: String(row['entity_type']), key: String(row['key']) }]),
  );
  const entityAt = (id: unknown): ActualEntity => entities.get(String(id)) ?? { type: '', key: '' };
  const properties = wantsProperties(expect)
    ? await readProperties(db, graph)
    : new Map<string, ActualEvent['properties']>();
  const listed = await db.query(
    `SELECT id, activity, lifecycle, strftime(time, '%Y-%m-%dT%H:%M:%S.%fZ') AS time, entity_id FROM ${graph}.event`,
  );
  const events = listed.toSorted(byNumbers('id'));
  const activityAt = new Map(events.map((row) => [String(row['id']), String(row['activity'])]));
  const ifExpected = async (list: unknown, sql: string) => (list ? db.query(sql) : []);
  const edges = await ifExpected(
    expect.directlyFollows,
    `SELECT source_event_id, target_event_id, entity_id FROM ${graph}.directly_follows`,
  );
  const relations = await ifExpected(
    expect.relations,
    `SELECT relationship, source_entity_id, target_entity_id FROM ${graph}.relation`,
  );
  return {
    events: events.map((row) => ({
      activity: String(row['activity']),
      lifecycle: String(row['lifecycle']),
      time: String(row['time']),
      entity: row['entity_id'] === null ? undefined : entityAt(row['entity_id']),
      properties: properties.get(String(row['id'])) ?? {},
    })),
    directlyFollows: edges
      .toSorted(byNumbers('source_event_id', 'entity_id'))
      .map((row) => [
        activityAt.get(String(row['source_event_id'])) ?? '',
        activityAt.get(String(row['target_event_id'])) ?? '',
      ]),
    relations: relations.toSorted(byRelationship).map((row) => ({
      relationship: String(row['relationship']),
      source: entityAt(row['source_entity_id']),
      target: entityAt(row['target_entity_id']),
    })),
    entities: [...entities.values()],
  };
}

type Row = Readonly<Record<string, unknown>>;

function byNumbers(...columns: readonly string[]): (one: Row, other: Row) => number {
  return (one, other) => {
    const column = columns.find((each) => one[each] !== other[each]);
    return column === undefined ? 0 : Number(one[column]) - Number(other[column]);
  };
}

function byRelationship(one: Row, other: Row): number {
  const [name, otherName] = [String(one['relationship']), String(other['relationship'])];
  if (name !== otherName) return name < otherName ? -1 : 1;
  return byNumbers('source_entity_id', 'target_entity_id')(one, other);
}

/**
 * Judges a graph by rules in its build database, like a store. Drops the staged rows first. Rejects with `DuckDbError`,
 * or with the reason of the signal.
 */
export async function judgeBuiltGraph(
  db: DuckDbSession,
  graph: string,
  rules: readonly ProcessRule[],
  signal: AbortSignal,
): Promise<readonly RuleResult[]> {
  if (rules.length === 0) return [];
  await db.runAll([withOptimizer, `USE ${graph}`, `DETACH ${rowsDatabase}`]);
  return judgeRules(rules, db, { signal, limit: 1 });
}

/** The properties of events by event id, as texts. */
async function readProperties(db: Reader, graph: string): Promise<ReadonlyMap<string, ActualEvent['properties']>> {
  const found = new Map<string, ActualEvent['properties']>();
  const tables = await db.query(`SELECT name FROM (${storedNamesSql}) AS stored WHERE database_name = '${graph}'`);
  for (const { name } of tables) {
    if (entryOf('properties_<n>', String(name)) === undefined) continue;
    for (const row of await db.query(`SELECT COLUMNS(*)::VARCHAR FROM ${graph}.${String(name)}`)) {
      const values = Object.entries(row).filter(([column]) => !propertiesColumns.includes(column));
      found.set(
        String(row['event_id']),
        Object.fromEntries(values.map(([column, value]) => [column, value === null ? null : String(value)])),
      );
    }
  }
  return found;
}
