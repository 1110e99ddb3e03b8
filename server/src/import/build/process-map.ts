import { durationClassSql, millisecondsSql } from '../../graph-schema/duration-classes.ts';
import type { BuildDialect } from './build-dialect.ts';
import { correlatedTable } from './correlations.ts';
import { entityEventSql, entityOfSql } from './entity-event.ts';
import { type MapStep, createStoredPlacesSql, isNoEndSql, placedEventsSql } from './places.ts';
import type { GraphShape } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/**
 * Creates `ordered`: the events of each entity in order, repeated per qualifier. DuckDB finds neighbours faster in a
 * sorted table than with a window function.
 * @param hasOthers whether `correlated` has events of other entities
 */
export function createOrderedSql(elements: readonly StagedElement[], hasOthers: boolean, shape: GraphShape): MapStep {
  const hasEntity = shape.mayLackEntity ? ' WHERE entity_id IS NOT NULL' : '';
  const own = `SELECT ${entityEventSql('entity_id', 'id')} AS entity_event, time, place FROM (${placedEventsSql(elements, shape)}) AS event${hasEntity}`;
  const others = `SELECT ${entityEventSql('entity_id', 'event_id')}, time, place FROM ${correlatedTable}`;
  const all = hasOthers ? `(${own}\n    UNION ALL ${others})` : `(${own})`;
  return orderedStep(all, shape.dialect, shape.hasEnds ? isNoEndSql : undefined);
}

/** Creates `places` and `ordered` from existing tables, such as those of a fetched graph. */
export function createStoredOrderSql(dialect: BuildDialect): readonly MapStep[] {
  const { graph, build } = dialect;
  const correlated = `SELECT ${entityEventSql('own.entity_id', 'own.event_id')} AS entity_event, event.time, place
    FROM ${graph}.event_entity AS own JOIN ${graph}.event AS event ON event.id = own.event_id JOIN places USING (activity, lifecycle)`;
  return [
    createStoredPlacesSql(dialect),
    // A join and a sort in one statement would exceed the memory limit.
    {
      name: correlatedTable,
      title: 'Events by entity',
      sql: `${build.createStaging} ${correlatedTable} AS ${correlated}`,
    },
    orderedStep(correlatedTable, dialect, isNoEndSql),
  ];
}

/** Sorts by all columns: DuckDB sorts rows that consist of their sort key faster than sort keys with a payload. */
function orderedStep(from: string, { build }: BuildDialect, condition?: string): MapStep {
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  return {
    name: 'ordered',
    title: 'Events by entity',
    sql: `${build.createStaging} ordered AS SELECT entity_event, time, place FROM ${from} AS unordered${where} ORDER BY entity_event, time, place`,
  };
}

/**
 * Creates the table `process_map`: how often one activity follows another within entities of a type, by duration class;
 * without a source activity: first events of entities. From `places` and `ordered`, after `orderedMiddleStep`. Durations
 * are added up in whole microseconds, because sums of integers do not depend on their order.
 * @param entityTypes at least one, in any order
 */
export function createProcessMapSql(entityTypes: readonly string[], dialect: BuildDialect): string {
  const { names, numberOf } = numberedTypes(entityTypes, dialect);
  return `CREATE TABLE ${dialect.graph}.process_map AS
    SELECT ${names}[type] AS entity_type, source.activity AS source_activity, source.lifecycle AS source_lifecycle,
      target.activity AS target_activity, target.lifecycle AS target_lifecycle, duration_class, steps,
      CAST(microseconds // 1000 AS DOUBLE) + CAST(microseconds % 1000 AS DOUBLE) / 1000 AS milliseconds
    FROM (
      SELECT ${numberOf('entity_id')} AS type, source, target, ${durationClassSql('duration')} AS duration_class, count(*) AS steps,
        coalesce(sum(until) - sum(since), 0) AS microseconds
      FROM (${predecessorsSql}) AS neighbours WHERE is_new GROUP BY ALL
    ) AS counted JOIN places AS target ON target.place = counted.target LEFT JOIN places AS source ON source.place = counted.source
    ORDER BY ALL`;
}

/**
 * Notes where the second half of `ordered` begins, after its step. A variable is a constant for later statements, which
 * compare rows with it in half the time that a subquery takes.
 */
export const orderedMiddleStep: MapStep = {
  name: 'ordered_middle',
  title: 'Events by entity',
  sql: 'SET VARIABLE ordered_middle = (SELECT count(*) // 2 FROM ordered)',
};

/** The first row of the second half of `ordered`. */
const middle = "getvariable('ordered_middle')";

/** Adds the values of the previous row to each row, in one query: DuckDB computes a window as often as it is written. */
function withRowBefore(rows: string): string {
  return `SELECT *, lag(entity_event) OVER () AS previous, lag(place) OVER () AS previous_place, lag(time) OVER () AS previous_time FROM (${rows}) AS half`;
}

/**
 * Each row of `ordered` with its predecessor in the same entity; `is_new` for a different event. Durations are
 * milliseconds, times (`since`, `until`) microseconds. Windows over the order of a table run on one processor, so that
 * two halves take less time than the whole.
 */
export const predecessorsSql = `SELECT entity_id, is_new, place AS target, CASE WHEN is_next THEN previous_place END AS source,
          CASE WHEN is_next THEN ${millisecondsSql('previous_time', 'time')} END AS duration,
          CASE WHEN is_next THEN epoch_us(previous_time) END AS since, CASE WHEN is_next THEN epoch_us(time) END AS until
        FROM (
          SELECT ${entityOfSql('entity_event')} AS entity_id, previous IS DISTINCT FROM entity_event AS is_new,
            ${entityOfSql('previous')} = ${entityOfSql('entity_event')} AS is_next, place, previous_place, time, previous_time
          FROM (
            ${withRowBefore(`SELECT entity_event, place, time FROM ordered WHERE rowid < ${middle}`)}
            UNION ALL
            SELECT * EXCLUDE (number) FROM (
              ${withRowBefore(`SELECT entity_event, place, time, rowid AS number FROM ordered WHERE rowid >= ${middle} - 1`)}
            ) AS numbered WHERE number >= ${middle}
          ) AS pairs
        ) AS compared`;

/** Entity types as numbers, because they are grouped faster than names. */
interface NumberedTypes {
  /** The names as an SQL list, 1-based. */
  readonly names: string;
  /** SQL of the type number of an entity; NULL for NULL. */
  numberOf(entityId: string): string;
  /** The numbers of some of the types. */
  numbersOf(some: ReadonlySet<string>): readonly number[];
}

/** @param entityTypes at least one, in any order */
export function numberedTypes(entityTypes: readonly string[], dialect: BuildDialect): NumberedTypes {
  const types = [...new Set(entityTypes)].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const literals = types.map((type) => dialect.literals.quote(type));
  // Entity ids are ordered by type, so types are ranges of ids.
  const ends = (entityId: string): readonly string[] =>
    literals.map(
      (type, index) =>
        `WHEN ${entityId} <= (SELECT max(id) FROM ${dialect.graph}.entity WHERE entity_type = ${type}) THEN ${index + 1}`,
    );
  return {
    names: `(ARRAY[${literals.join(', ')}])`,
    numberOf: (entityId) => `CASE ${ends(entityId).join(' ')} END`,
    numbersOf: (some) => types.flatMap((type, index) => (some.has(type) ? [index + 1] : [])),
  };
}
