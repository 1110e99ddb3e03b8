import type { GraphFilter, VariantsView } from '../../../protocol/event-graph.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { entityCondition } from './filter-entities.ts';
import { whereSql } from './map-query.ts';
import { pathsSql } from './variant-sql.ts';

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
  { filter, lifecycle = false }: { readonly filter: GraphFilter; readonly lifecycle?: boolean },
  options: StatementOptions,
): Promise<VariantsView> {
  const paths = pathsSql({ lifecycle, isNamed: true }, whereSql(entityCondition(filter, 'ee.entity_id')));
  const rows = await store.query(
    `SELECT id, any_value(events) AS events, to_json(any_value(activities)[:${mostActivities}]) AS activities, count(*) AS entities,
       count(*) OVER () AS variants, sum(count(*)) OVER () AS all_entities
     FROM (${paths}) AS path GROUP BY id ORDER BY entities DESC, events, activities LIMIT ${mostVariants}`,
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
