import type { VariantsView } from '../../../protocol/event-graph.ts';
import { millisecondsSql } from '../graph-schema/duration-classes.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { measuredSql } from './entity-measures.ts';
import { type EntityFilter, entityCondition } from './filter-entities.ts';
import { numbersSql, pathsSql, stepsSql } from './variant-sql.ts';

/** Variants of a list. */
const mostVariants = 50;
/** Activities of a variant that are named. */
const mostActivities = 100;

interface VariantsQuestion {
  readonly filter: EntityFilter;
  readonly lifecycle?: boolean | undefined;
  /** Default: 50. */
  readonly limit?: number | undefined;
  /** Whether variants have their numbers, for which all entities of the type are read. */
  readonly isNumbered?: boolean | undefined;
}

/**
 * The most frequent orders in which the events of entities follow each other (docs/semantics.md#134-process-map), with
 * the number of entities of each and how long they took.
 */
export async function readVariants(
  store: StoreReader,
  { filter, lifecycle = false, limit = mostVariants, isNumbered = false }: VariantsQuestion,
  options: StatementOptions,
): Promise<VariantsView> {
  const { entityType } = filter;
  const read = entityCondition(isNumbered ? { entityType } : filter, 'ee.entity_id');
  const kept = isNumbered ? entityCondition(filter, 'path.entity_id') : undefined;
  const { hasCorrelations } = await judgedGraphTables(store, options);
  const steps = stepsSql({ lifecycle, hasCorrelations }, 'WHERE ee.entity_id IN (SELECT f.example FROM frequent AS f)');
  const duration = millisecondsSql('m.first', 'm.last');
  // The names of the activities of a variant are read from one of its entities.
  const rows = await store.query(
    `WITH path AS MATERIALIZED (
       ${pathsSql({ lifecycle, hasCorrelations }, read === undefined ? '' : `WHERE ${read}`)}
     ), ${isNumbered ? `numbered AS MATERIALIZED (${numbersSql}), ` : ''}subject AS (
       SELECT entity_id AS judged, id, events FROM path${kept === undefined ? '' : ` WHERE ${kept}`}
     ), measured AS (
       ${measuredSql({ hasCorrelations, countsActivities: false })}
     ), frequent AS MATERIALIZED (
       SELECT s.id, any_value(s.events) AS events, min(s.judged) AS example, count(*) AS entities,
         median(${duration}) AS median, quantile_cont(${duration}, 0.9) AS p90,
         count(*) OVER () AS variants, sum(count(*)) OVER () AS all_entities
       FROM subject AS s JOIN measured AS m ON m.judged = s.judged GROUP BY s.id ORDER BY entities DESC, 2, example LIMIT ${Math.trunc(limit)}
     ), named AS (
       SELECT s.entity_id, list(s.activity ORDER BY s.step) AS activities
       FROM (${steps}) AS s WHERE s.step <= ${mostActivities} GROUP BY s.entity_id
     )
     SELECT f.*, to_json(n.activities) AS activities${isNumbered ? ', numbered.number' : ''}
     FROM frequent AS f JOIN named AS n ON n.entity_id = f.example ${isNumbered ? 'JOIN numbered ON numbered.id = f.id' : ''}
     ORDER BY f.entities DESC, f.events, f.example`,
    options,
  );
  return {
    variants: rows.map((row) => ({
      ...(isNumbered && { number: Number(row['number']) }),
      id: String(row['id']),
      activities: JSON.parse(String(row['activities'])) as readonly string[],
      events: Number(row['events']),
      entities: Number(row['entities']),
      median: Number(row['median']),
      p90: Number(row['p90']),
    })),
    all: Number(rows[0]?.['variants'] ?? 0),
    entities: Number(rows[0]?.['all_entities'] ?? 0),
  };
}
