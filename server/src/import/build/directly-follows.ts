import type { BuildDialect } from './build-dialect.ts';
import { entityEventSql, entityOfSql, eventOfSql } from './entity-event.ts';
import type { GraphShape } from './rows.ts';

/** Creates the table `directly_follows`: consecutive distinct events of each entity, without ends. */
export function createDirectlyFollowsSql(isRepeated: boolean, { dialect: { graph }, hasEnds }: GraphShape): string {
  const distinct = isRepeated ? 'DISTINCT' : '';
  return `CREATE TABLE ${graph}.directly_follows AS SELECT entity_id, source_event_id, target_event_id FROM (
      SELECT entity_id, lag(event_id) OVER (PARTITION BY entity_id ORDER BY event_id) AS source_event_id, event_id AS target_event_id
      FROM (SELECT ${distinct} event_id, entity_id FROM ${correlationsSql(graph, hasEnds)}) AS correlated
    ) AS neighbours WHERE source_event_id IS NOT NULL`;
}

/** Creates the table `directly_follows` from `ordered`. */
export function createOrderedFollowsSql({ dialect }: GraphShape): string {
  const [entity, previousEntity] = [entityOfSql('entity_event'), entityOfSql('previous')];
  return `CREATE TABLE ${dialect.graph}.directly_follows AS SELECT ${entity} AS entity_id, ${eventOfSql('previous')} AS source_event_id, ${eventOfSql('entity_event')} AS target_event_id
    FROM (SELECT entity_event, lag(entity_event) OVER () AS previous FROM ordered) AS neighbours
    WHERE ${previousEntity} = ${entity} AND previous <> entity_event`;
}

/** The correlations of events that can follow each other: an end is counted with its start. */
function correlationsSql(graph: string, hasEnds: boolean): string {
  const all = `${graph}.event_entity`;
  if (!hasEnds) return all;
  return `(SELECT correlation.event_id, correlation.entity_id FROM ${all} AS correlation JOIN ${graph}.event AS event ON event.id = correlation.event_id WHERE event.lifecycle <> 'end') AS correlation`;
}

/**
 * SQL of the number of rows that `directly_follows` must have. `invariants.ts` compares the rows themselves, which would
 * take an import as long as it took to build them. Where an event may have an entity twice, repeated pairs
 * are found by comparing neighbours in `ordered`, which is sorted: deduplicating all pairs by hash would take as long
 * as sorting them did. Negative if `ordered` and `event_entity` have different pairs.
 */
export function expectedFollowsSql({
  dialect,
  mayCorrelateTwice,
  hasEnds,
}: {
  readonly dialect: BuildDialect;
  /** An event may be correlated with one entity by several qualifiers. */
  readonly mayCorrelateTwice: boolean;
  readonly hasEnds: boolean;
}): string {
  const { graph, build } = dialect;
  const correlations = correlationsSql(graph, hasEnds);
  const steps = (events: string): string =>
    `SELECT coalesce(sum(events - 1), 0) FROM (SELECT ${events} AS events FROM ${correlations} GROUP BY entity_id) AS counted`;
  if (!mayCorrelateTwice) {
    return `SELECT (SELECT count(*) FROM ${correlations}) - count(*) FROM (SELECT entity_id FROM ${correlations} GROUP BY entity_id) AS entities`;
  }
  if (!build.keepsRowOrder) return steps('count(DISTINCT event_id)');
  const pairs = (entityEvent: string, table: string): string =>
    `(SELECT coalesce(sum(hash(${entityEvent})), 0) + count(*) FROM ${table})`;
  const [entity, previousEntity] = [entityOfSql('entity_event'), entityOfSql('previous')];
  return `SELECT CASE WHEN ${pairs(entityEventSql('entity_id', 'event_id'), correlations)} = ${pairs('entity_event', 'ordered')}
      THEN (SELECT count(*) FROM (SELECT entity_event, lag(entity_event) OVER () AS previous FROM ordered) AS neighbours
        WHERE ${previousEntity} = ${entity} AND previous <> entity_event)
      ELSE -1 END`;
}
