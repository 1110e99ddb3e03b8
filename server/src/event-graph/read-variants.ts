import type { VariantsView } from '../../../protocol/event-graph.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { type EntityFilter, entityCondition } from '../analysis/filter-entities.ts';
import { whereSql } from './map-query.ts';
import { pathsSql, stepsSql } from '../analysis/variant-sql.ts';

/** Variants of a list. */
const mostVariants = 50;
/** Activities of a variant that are named. */
const mostActivities = 100;

/**
 * The most frequent orders in which the events of entities follow each other (docs/semantics.md#134-process-map), with
 * the number of entities of each.
 */
export async function readVariants(
  store: StoreReader,
  { filter, lifecycle = false }: { readonly filter: EntityFilter; readonly lifecycle?: boolean | undefined },
  options: StatementOptions,
): Promise<VariantsView> {
  const paths = pathsSql({ lifecycle }, whereSql(entityCondition(filter, 'ee.entity_id')));
  const steps = stepsSql({ lifecycle }, 'WHERE ee.entity_id IN (SELECT f.example FROM frequent AS f)');
  // The names of the activities of a variant are read from one of its entities.
  const rows = await store.query(
    `WITH frequent AS MATERIALIZED (
       SELECT id, any_value(events) AS events, min(entity_id) AS example, count(*) AS entities,
         count(*) OVER () AS variants, sum(count(*)) OVER () AS all_entities
       FROM (${paths}) AS path GROUP BY id ORDER BY entities DESC, events, example LIMIT ${mostVariants}
     ), named AS (
       SELECT s.entity_id, list(s.activity ORDER BY s.step) AS activities
       FROM (${steps}) AS s WHERE s.step <= ${mostActivities} GROUP BY s.entity_id
     )
     SELECT f.*, to_json(n.activities) AS activities FROM frequent AS f JOIN named AS n ON n.entity_id = f.example
     ORDER BY f.entities DESC, f.events, n.activities`,
    options,
  );
  return {
    variants: rows.map((row) => ({
      id: String(row['id']),
      activities: JSON.parse(String(row['activities'])) as readonly string[],
      events: Number(row['events']),
      entities: Number(row['entities']),
    })),
    all: Number(rows[0]?.['variants'] ?? 0),
    entities: Number(rows[0]?.['all_entities'] ?? 0),
  };
}
