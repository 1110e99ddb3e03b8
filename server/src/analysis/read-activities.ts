import type { ActivitiesAnswer } from '../../../protocol/analysis.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { countSubjects } from './answer-measures.ts';
import { noEnd } from './event-place.ts';
import { type ReadTypeFilter, entityCondition } from './filter-entities.ts';
import { numberOf } from './read-cells.ts';

/**
 * The activities of the entities of a filter, without ends: how many events and entities have each, how events and
 * entities diverge, and its service time (docs/semantics.md#196-steps-activities-workload-and-batches).
 */
export async function readActivities(
  store: StoreReader,
  { filter, limit }: { readonly filter: ReadTypeFilter; readonly limit: number },
  options: StatementOptions,
): Promise<ActivitiesAnswer> {
  const isOfEntity = entityCondition(filter, 'ee.entity_id') ?? 'true';
  const entities = await countSubjects(store, filter, options);
  const hasEnds = (await storedTables(store, options)).some(({ schema }) => schema === 'service_time');
  const service = hasEnds
    ? `SELECT o.activity, count(*) AS served, sum(t.milliseconds) AS total, quantile_cont(t.milliseconds, 0.5) AS median, quantile_cont(t.milliseconds, 0.9) AS p90
  FROM of_event AS o JOIN service_time AS t ON t.start_event_id = o.id GROUP BY o.activity`
    : 'SELECT NULL AS activity, 0 AS served, NULL AS total, NULL AS median, NULL AS p90 WHERE false';
  const rows = await store.query(
    `WITH pair AS MATERIALIZED (
  SELECT DISTINCT ee.event_id AS id, ee.entity_id, v.activity FROM event_entity AS ee JOIN event AS v ON v.id = ee.event_id
  WHERE ${noEnd('v')} AND ${isOfEntity}
), of_event AS (
  SELECT id, activity, count(*) AS n FROM pair GROUP BY id, activity
), of_entity AS (
  SELECT entity_id, activity, count(*) AS n FROM pair GROUP BY entity_id, activity
), events AS (
  SELECT activity, count(*) AS events, count(*) FILTER (WHERE n > 1) AS shared FROM of_event GROUP BY activity
), entities AS (
  SELECT activity, count(*) AS entities, count(*) FILTER (WHERE n > 1) AS repeated FROM of_entity GROUP BY activity
), service AS (
  ${service}
)
SELECT e.*, c.entities, c.repeated, s.served, s.total, s.median, s.p90, count(*) OVER () AS activities
FROM events AS e JOIN entities AS c ON c.activity = e.activity LEFT JOIN service AS s ON s.activity = e.activity
ORDER BY e.events DESC, e.activity LIMIT ${Math.trunc(limit)}`,
    options,
  );
  return {
    rows: rows.map((row) => ({
      activity: String(row['activity']),
      events: Number(row['events']),
      entities: Number(row['entities']),
      convergence: Number(row['shared']) / Number(row['events']),
      divergence: Number(row['repeated']) / entities,
      service:
        numberOf(row['served']) === null
          ? null
          : {
              count: Number(row['served']),
              median: Number(row['median']),
              p90: Number(row['p90']),
              total: Number(row['total']),
            },
    })),
    all: Number(rows[0]?.['activities'] ?? 0),
  };
}
