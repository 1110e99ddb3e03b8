import type { GraphTotals } from '../../../protocol/import-progress.ts';
import type { StagingDatabase } from '../store/staging-database.ts';
import { ImportError } from './import-error.ts';

/** A property that every graph has; `sql` counts what violates it. */
interface Check {
  readonly name: string;
  readonly sql: string;
}

export const graphChecks: readonly Check[] = [
  {
    name: 'entities that are there twice',
    sql: 'SELECT count(*) - count(DISTINCT (entity_type, key)) FROM graph.entity',
  },
  {
    name: 'events of an entity that does not exist',
    sql: 'SELECT count(*) FROM graph.event ANTI JOIN graph.entity ON entity.id = event.entity_id',
  },
  {
    name: 'correlations without event or entity',
    sql: `SELECT (SELECT count(*) FROM graph.event_entity ANTI JOIN graph.event ON event.id = event_entity.event_id)
      + (SELECT count(*) FROM graph.event_entity ANTI JOIN graph.entity ON entity.id = event_entity.entity_id)`,
  },
  {
    name: 'relations without their entities',
    sql: `SELECT (SELECT count(*) FROM graph.relation ANTI JOIN graph.entity ON entity.id = relation.source_entity_id)
      + (SELECT count(*) FROM graph.relation ANTI JOIN graph.entity ON entity.id = relation.target_entity_id)`,
  },
  {
    name: 'directly-follows edges that do not lead forward',
    sql: 'SELECT count(*) FROM graph.directly_follows WHERE target_event_id <= source_event_id',
  },
];

/** What the checks need to know of the build. */
export interface CheckedBuild {
  /** Rows that the source says it sent, and rows that were staged, of each element and relationship. */
  readonly pulls: readonly { readonly name: string; readonly sourceRows: number; readonly stagedRows: number }[];
  /** Events that the rows should give, when the whole graph was built. */
  readonly expectedEvents?: number;
  /** Pairs of keys pulled, all of whose entities should exist, when the whole graph was built. */
  readonly mayCorrelateTwice: boolean;
  readonly signal: AbortSignal;
}

/** Counts the tables and checks them. Rejects with `check-failed`. */
export async function checkGraph(staging: StagingDatabase, build: CheckedBuild): Promise<GraphTotals> {
  const { signal } = build;
  for (const { name, sourceRows, stagedRows } of build.pulls) {
    if (sourceRows !== stagedRows) {
      throw failed(`The source sent ${sourceRows} rows of "${name}", but ${stagedRows} arrived`);
    }
  }
  for (const { name, sql } of graphChecks) {
    const violations = await count(staging, sql, signal);
    if (violations > 0) throw failed(`The graph has ${violations} ${name}`);
  }
  const totals = await countTables(staging, signal);
  if (build.expectedEvents !== undefined && totals.events !== build.expectedEvents) {
    throw failed(`The rows give ${build.expectedEvents} events, but the graph has ${totals.events}`);
  }
  const steps = build.mayCorrelateTwice
    ? `SELECT coalesce(sum(events - 1), 0) FROM (SELECT count(DISTINCT event_id) AS events FROM graph.event_entity GROUP BY entity_id)`
    : 'SELECT count(*) - count(DISTINCT entity_id) FROM graph.event_entity';
  const expectedSteps = await count(staging, steps, signal);
  if (totals.directlyFollows !== expectedSteps) {
    throw failed(`There should be ${expectedSteps} directly-follows edges, but there are ${totals.directlyFollows}`);
  }
  return totals;
}

/** The earliest and latest event when they lie where no process does: before 1900, or ten years and more ahead. */
export async function timeRangeWarnings(staging: StagingDatabase, now: Date): Promise<readonly string[]> {
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + 10);
  const [row] = await staging.query(`SELECT
      count(*) FILTER (time < TIMESTAMP '1900-01-01') AS early, min(time) AS first,
      count(*) FILTER (time > TIMESTAMP '${latest.toISOString().slice(0, 19)}') AS late, max(time) AS last
    FROM graph.event`);
  const warnings: string[] = [];
  if (Number(row?.['early']) > 0)
    warnings.push(`${Number(row?.['early'])} events are before 1900, the first at ${String(row?.['first'])}.`);
  if (Number(row?.['late']) > 0)
    warnings.push(
      `${Number(row?.['late'])} events are ten years and more ahead, the last at ${String(row?.['last'])}.`,
    );
  return warnings;
}

async function countTables(staging: StagingDatabase, signal: AbortSignal): Promise<GraphTotals> {
  const of = (table: string): Promise<number> => count(staging, `SELECT count(*) FROM graph.${table}`, signal);
  return {
    events: await of('event'),
    entities: await of('entity'),
    correlations: await of('event_entity'),
    relations: await of('relation'),
    directlyFollows: await of('directly_follows'),
  };
}

async function count(staging: StagingDatabase, sql: string, signal: AbortSignal): Promise<number> {
  const [row] = await staging.query(sql, { signal });
  return Number(Object.values(row ?? {})[0] ?? 0);
}

function failed(message: string): ImportError {
  return new ImportError('check-failed', `${message}.`, {
    remedy: 'The graph was not kept. Import again, and report it if it happens again.',
  });
}
