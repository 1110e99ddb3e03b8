import { durationClassSql, millisecondsSql } from '../../graph-schema/duration-classes.ts';
import type { BuildDialect } from './build-dialect.ts';
import { type CorrelatingRelationship, correlatedSql } from './correlations.ts';
import type { GraphShape } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** An intermediate table for `directly_follows` and `process_map`, or one of them. */
interface MapStep {
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

/**
 * Creates `places`: numbered pairs of activity and lifecycle, the nodes of a process map, because numbers are sorted
 * and grouped faster than names.
 */
export function createPlacesSql(elements: readonly StagedElement[], shape: GraphShape): MapStep {
  const { dialect } = shape;
  const activity = (name: string): string => dialect.literals.quote(name);
  const names = elements.map(({ plan }) => `(${plan.number}, ${activity(plan.activityName)})`).join(', ');
  const places = shape.activities
    ? foundPlaces(dialect.graph)
    : `SELECT 2 * number + change AS place, activity, CASE WHEN change = 1 THEN 'change' ELSE 'start' END AS lifecycle
      FROM (VALUES ${names}) AS element(number, activity), (VALUES (0), (1)) AS event(change)`;
  return placesStep(places, dialect);
}

/**
 * Creates `ordered`: the events of each entity in order, repeated per qualifier. DuckDB finds neighbours faster in a
 * sorted table than with a window function.
 */
export function createOrderedSql(
  relationships: readonly CorrelatingRelationship[],
  elements: readonly StagedElement[],
  shape: GraphShape,
): readonly MapStep[] {
  const { dialect, activities } = shape;
  const events = activities
    ? `SELECT id, entity_id, CAST(place AS INTEGER) AS place, time FROM ${dialect.graph}.event JOIN places USING (activity, lifecycle)`
    : `SELECT id, entity_id, CAST(2 * element + CAST(change AS INTEGER) AS INTEGER) AS place, time FROM ranked`;
  // Which entities rows name was found out for `event_entity`, and takes longer than reading that.
  if (elements.some(({ correlations }) => correlations.length > 0)) {
    const hasEntity = shape.mayLackEntity ? ' WHERE entity_id IS NOT NULL' : '';
    const stored = `SELECT entity_id, id AS event_id, place, time FROM (${events}) AS event${hasEntity}
      UNION ALL SELECT other.entity_id, other.event_id, events.place, events.time
      FROM ${dialect.graph}.event_entity AS other JOIN (${events}) AS events ON events.id = other.event_id WHERE other.qualifier <> 'self'`;
    return correlatedSteps(stored, dialect);
  }
  const correlated = correlatedSql(relationships, shape, {
    events: `(${events})`,
    columns: ['place', 'time'],
  });
  if (!relationships.some(({ plan }) => plan.correlate !== 'none')) return [orderedStep(`(${correlated})`, dialect)];
  return correlatedSteps(correlated, dialect);
}

/** Creates `places` and `ordered` from existing tables, such as those of a fetched graph. */
export function createStoredOrderSql(dialect: BuildDialect): readonly MapStep[] {
  const { graph } = dialect;
  const correlated = `SELECT own.entity_id, own.event_id, CAST(place AS INTEGER) AS place, event.time
    FROM ${graph}.event_entity AS own JOIN ${graph}.event AS event ON event.id = own.event_id JOIN places USING (activity, lifecycle)`;
  return [placesStep(foundPlaces(graph), dialect), ...correlatedSteps(correlated, dialect)];
}

/** A join and a sort in one statement would exceed the memory limit. */
function correlatedSteps(correlated: string, dialect: BuildDialect): readonly MapStep[] {
  return [
    {
      name: 'correlated',
      title: 'Events by entity',
      sql: `${dialect.build.createStaging} correlated AS ${correlated}`,
    },
    orderedStep('correlated', dialect),
  ];
}

function orderedStep(from: string, { build }: BuildDialect): MapStep {
  return {
    name: 'ordered',
    title: 'Events by entity',
    sql: `${build.createStaging} ordered AS SELECT entity_id, event_id, place, time FROM ${from} AS correlated ORDER BY entity_id, event_id`,
  };
}

function placesStep(places: string, { build }: BuildDialect): MapStep {
  return { name: 'places', title: 'Activities', sql: `${build.createStaging} places AS ${places}` };
}

/** Activities from rows are those of existing events. */
function foundPlaces(graph: string): string {
  return `SELECT row_number() OVER () AS place, activity, lifecycle FROM (SELECT DISTINCT activity, lifecycle FROM ${graph}.event)`;
}

/** Creates the table `directly_follows` from `ordered`. */
export function createOrderedFollowsSql({ dialect }: GraphShape): string {
  return `CREATE TABLE ${dialect.graph}.directly_follows AS SELECT entity_id, source_event_id, target_event_id FROM (
      SELECT entity_id, event_id AS target_event_id, lag(event_id) OVER () AS source_event_id, lag(entity_id) OVER () AS source_entity_id FROM ordered
    ) AS neighbours WHERE source_entity_id = entity_id AND source_event_id <> target_event_id`;
}

/**
 * Creates the table `process_map`: how often one activity follows another within entities of a type, by duration class;
 * without a source activity: first events of entities. From `places` and `ordered`.
 * @param entityTypes at least one, in any order
 */
export function createProcessMapSql(entityTypes: readonly string[], dialect: BuildDialect): string {
  const { names, numberOf } = numberedTypes(entityTypes, dialect);
  return `CREATE TABLE ${dialect.graph}.process_map AS
    SELECT ${names}[type] AS entity_type, source.activity AS source_activity, source.lifecycle AS source_lifecycle,
      target.activity AS target_activity, target.lifecycle AS target_lifecycle, duration_class, steps, milliseconds
    FROM (
      SELECT ${numberOf('entity_id')} AS type, source, target, ${durationClassSql('duration')} AS duration_class, count(*) AS steps,
        CAST(coalesce(sum(duration), 0) AS DOUBLE) AS milliseconds
      FROM (${predecessorsSql}) AS neighbours WHERE is_new GROUP BY ALL
    ) AS counted JOIN places AS target ON target.place = counted.target LEFT JOIN places AS source ON source.place = counted.source
    ORDER BY ALL`;
}

/** The first row of the second half of `ordered`. */
const middle = '(SELECT count(*) // 2 FROM ordered)';

/** Rows with the row before, which is read once: DuckDB computes each window as often as it is written. */
function withRowBefore(rows: string): string {
  return `SELECT *, lag(entity_id) OVER () AS previous_entity, lag(event_id) OVER () AS previous_event, lag(place) OVER () AS previous_place,
            lag(time) OVER () AS previous_time FROM (${rows}) AS half`;
}

/**
 * Each row of `ordered` with its predecessor in the same entity; `is_new` for a different event. Durations are
 * milliseconds. Windows over the order of a table run on one processor, so that two halves take less time than the whole.
 */
export const predecessorsSql = `SELECT entity_id, previous_entity IS DISTINCT FROM entity_id OR previous_event <> event_id AS is_new, place AS target,
          CASE WHEN previous_entity = entity_id THEN previous_place END AS source,
          CASE WHEN previous_entity = entity_id THEN ${millisecondsSql('previous_time', 'time')} END AS duration
        FROM (
          ${withRowBefore(`SELECT entity_id, event_id, place, time FROM ordered WHERE rowid < ${middle}`)}
          UNION ALL
          SELECT * EXCLUDE (number) FROM (
            ${withRowBefore(`SELECT entity_id, event_id, place, time, rowid AS number FROM ordered WHERE rowid >= ${middle} - 1`)}
          ) AS numbered WHERE number >= ${middle}
        ) AS pairs`;

/** Entity types as numbers, because they are grouped faster than names. */
export interface NumberedTypes {
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
