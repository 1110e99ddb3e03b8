import { codedEventsTable } from '../../graph-schema/storage-tables.ts';
import { type KeysOfType, distinctKeysSql, sortedEntitiesSql } from '../build/entities.ts';
import { codedEventsSql } from '../build/coded-events.ts';
import { createRankedSql, createTiesSql, eventColumns, mayHaveTies } from '../build/events.ts';
import { runValue } from '../build/plan-statement.ts';
import { storedProperties, storedPropertiesSql } from '../build/properties.ts';
import { type RowRange, rangeSql } from '../build/row-ranges.ts';
import { type GraphShape, rowsSql, rowsTable } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import { addedTable } from './compared-rows.ts';
import { copyBuild } from './graph-copy.ts';
import type { CountedChange } from './reuse-work.ts';

/** An element with rows that the previous import did not have. */
export interface ExtendedElement {
  readonly element: StagedElement;
  /** Its new rows. */
  readonly added: RowRange;
}

/** The new rows of an element. @param firstAdded the place of the first; without it, for a plan */
export function extendedElement(element: StagedElement, firstAdded?: number): ExtendedElement {
  return { element, added: { from: firstAdded ?? runValue, among: addedTable(element.plan.table) } };
}

const { graph, storage } = copyBuild;
const event = `${storage.tables}.${codedEventsTable}`;

/** Keys and times of new rows. */
function newRowsSql({ element, added }: ExtendedElement, shape: GraphShape): string {
  return `(${rowsSql(element, shape)} WHERE true${rangeSql('rowid', added).join('')}) AS added`;
}

/** The time of the first event of new rows, NULL without one. */
const firstTime = "getvariable('first_new_time')";
/** The id of the first event of the graph that is ranked again, and of the first of those that are. */
export const firstId = "getvariable('first_new_id')";

/** Finds the first event that is ranked again: all before it stay, as events are ordered by time first. */
export function findFirstSql(extended: readonly ExtendedElement[], shape: GraphShape): readonly string[] {
  const times = extended.map((each) => {
    const time = each.element.change ? 'least(start, coalesce(change, start))' : 'start';
    return `SELECT ${time} AS time FROM ${newRowsSql(each, shape)} WHERE key IS NOT NULL AND start IS NOT NULL`;
  });
  return [
    `SET VARIABLE first_new_time = (SELECT min(time) FROM (${times.join(' UNION ALL ')}) AS events)`,
    `SET VARIABLE first_new_id = (SELECT count(*) + 1 FROM ${event} WHERE time < ${firstTime} OR ${firstTime} IS NULL)`,
  ];
}

/** The number of events, and of those that are ranked again (`later`). */
export const countLaterSql = `SELECT count(*) AS events, count(*) - ${firstId} + 1 AS later FROM ${event}`;

/**
 * The activities that have a code (`codes`), and those of new events that have none (`others`). The activity of a row
 * without a key or a start is no activity of an event, although a full import lists it among the codes.
 */
export function countActivitiesSql(extended: readonly ExtendedElement[], shape: GraphShape): string {
  const type = `${storage.tables}.activity`;
  const activities = extended.map(
    (each) => `SELECT activity FROM ${newRowsSql(each, shape)} WHERE key IS NOT NULL AND start IS NOT NULL`,
  );
  return `SELECT len(enum_range(CAST(NULL AS ${type}))) AS codes, others
    FROM (SELECT count(DISTINCT activity) AS others FROM (${activities.join(' UNION ALL ')}) AS added WHERE TRY_CAST(activity AS ${type}) IS NULL) AS counted`;
}

/** Creates the table of new keys. */
export function createNewKeysSql(extended: readonly ExtendedElement[], shape: GraphShape): string {
  const sources = extended.map((each): KeysOfType => ({
    entityType: each.element.plan.entityType,
    from: `${newRowsSql(each, shape)} WHERE key IS NOT NULL`,
  }));
  return `CREATE TEMP TABLE new_keys AS SELECT entity_type, key FROM (${distinctKeysSql(sources, copyBuild)}) AS keys
    ANTI JOIN ${graph}.entity AS entity USING (entity_type, key)`;
}

export const countNewKeysSql = 'SELECT count(*) AS keys FROM new_keys';

/**
 * The tables of keys that compare them by a collation (`collated`), which the SQL of a user may give to a column. Which one
 * of several equal texts is the key is then decided by all rows together.
 */
export const countCollatedSql = `SELECT count(*) AS collated FROM duckdb_tables()
    WHERE (table_name = 'new_keys' OR (database_name = '${graph}' AND table_name = 'entity')) AND sql LIKE '% COLLATE %'`;

/**
 * Numbers all entities anew, and notes the ids of those of the graph. Ids are ranks by type and key.
 * @param types all entity types of the graph
 */
export function numberEntitiesSql(types: readonly string[]): readonly string[] {
  const keysOf = (type: string): string =>
    [`${graph}.entity`, 'new_keys']
      .map((from) => `SELECT key FROM ${from} WHERE entity_type = ${copyBuild.literals.quote(type)}`)
      .join(' UNION ALL ');
  return [
    `CREATE TABLE ${graph}.entity_with_new AS ${sortedEntitiesSql(types, keysOf, copyBuild)}`,
    `CREATE TEMP TABLE moved_entities AS SELECT old.id AS old_id, entity.id
    FROM ${graph}.entity AS old JOIN ${graph}.entity_with_new AS entity USING (entity_type, key)`,
    `DROP TABLE ${graph}.entity`,
    `ALTER TABLE ${graph}.entity_with_new RENAME TO entity`,
  ];
}

/** The number of entities whose id has changed (`moved`). */
export const countMovedSql = 'SELECT count(*) AS moved FROM moved_entities WHERE old_id <> id';

/** Instead of the views of all rows, those with an event that is ranked again. */
export function createLaterRowsSql(elements: readonly StagedElement[], shape: GraphShape): readonly string[] {
  return elements.flatMap((element) => {
    const times = element.change ? ['start', 'change'] : ['start'];
    return [
      `DROP VIEW ${rowsTable(element)}`,
      `${copyBuild.build.createStaging} ${rowsTable(element)} AS SELECT * FROM (${rowsSql(element, shape)}) AS staged
    WHERE ${times.map((time) => `${time} >= ${firstTime}`).join(' OR ')}`,
    ];
  });
}

/** Ranks all events from the first new one on, by the statements of any build. */
export function rankLaterSql(elements: readonly StagedElement[], shape: GraphShape): readonly string[] {
  return [
    ...elements.filter((element) => mayHaveTies(element, shape)).map((element) => createTiesSql(element, shape)),
    ...createRankedSql(elements, shape, { from: firstTime, firstId }).map(({ sql }) => sql),
  ];
}

/**
 * Notes the new ids of events that there were. They keep their order among each other, because the columns that decide
 * it have not changed.
 */
export function createMovedEventsSql(extended: readonly ExtendedElement[], shape: GraphShape): string {
  const isNew = extended.map(
    ({ element, added }) => `element = ${element.plan.number}${rangeSql('"row"', added).join('')}`,
  );
  return `CREATE TEMP TABLE moved_events AS SELECT ${firstId} - 1 + row_number() OVER (ORDER BY id) AS old_id, id, ${eventColumns(shape).join(', ')}
    FROM ranked WHERE NOT (${isNew.join(' OR ')})`;
}

/**
 * Counts the events of the graph from the first new one on that are not those of the cached rows in their order, and the
 * other way round (`others`).
 * @param areMoved ids of entities have changed
 */
export function countOtherEventsSql(elements: readonly StagedElement[], shape: GraphShape, areMoved: boolean): string {
  const { activities } = shape;
  const columns = ['element', ...(activities ? ['activity', 'other_activity'] : []), 'lifecycle', 'time'];
  const entity = areMoved ? `JOIN moved_entities AS entity ON entity.old_id = event.entity_id` : '';
  const stored = `SELECT event.id AS old_id, ${columns.map((each) => `event.${each}`).join(', ')}, ${areMoved ? 'entity.id' : 'event.entity_id'} AS entity_id
    FROM ${event} AS event ${entity} WHERE event.id >= ${firstId}`;
  const differs = [...columns, 'entity_id'].map((each) => `stored.${each} IS DISTINCT FROM moved.${each}`);
  return `SELECT count(*) AS others FROM (${stored}) AS stored
    FULL JOIN (${codedEventsSql(elements, shape, { from: 'moved_events', columns: ['old_id'] })}) AS moved ON moved.old_id = stored.old_id
    WHERE stored.old_id IS NULL OR moved.old_id IS NULL OR ${differs.join(' OR ')}`;
}

/** Writes the events. @param areMoved ids of entities have changed */
export function writeEventsSql(
  elements: readonly StagedElement[],
  shape: GraphShape,
  areMoved: boolean,
): readonly string[] {
  const insert = (table: string): string => `INSERT INTO ${table} ${codedEventsSql(elements, shape)}`;
  if (!areMoved) return [`DELETE FROM ${event} WHERE id >= ${firstId}`, insert(event)];
  const written = `${event}_with_new`;
  return [
    `CREATE TABLE ${written} AS SELECT event.* REPLACE (entity.id AS entity_id)
    FROM ${event} AS event JOIN moved_entities AS entity ON entity.old_id = event.entity_id WHERE event.id < ${firstId} ORDER BY event.id`,
    insert(written),
    `DROP TABLE ${event}`,
    `ALTER TABLE ${written} RENAME TO ${codedEventsTable}`,
  ];
}

/** Writes the new ids of events of the graph into the properties of an element. */
export function movePropertiesSql(element: StagedElement): readonly CountedChange[] {
  const { table, fixed, isOfRows } = storedProperties(element, copyBuild);
  const isMoved = `moved.old_id <> moved.id AND moved.element = ${element.plan.number}`;
  return fixed.map((column, index) => {
    const isNamed = isOfRows ? ` AND ${index === 0 ? 'NOT ' : ''}moved.change` : '';
    return {
      sql: `UPDATE ${table} AS stored SET ${column} = moved.id FROM moved_events AS moved
    WHERE moved.old_id = stored.${column} AND ${isMoved}${isNamed}`,
      expected: `SELECT count(*) AS rows FROM moved_events AS moved WHERE ${isMoved}${isNamed}`,
    };
  });
}

/** Writes the properties of new rows. */
export function addPropertiesSql({ element, added }: ExtendedElement, shape: GraphShape): CountedChange {
  const { table, isOfRows } = storedProperties(element, copyBuild);
  const isNew = `element = ${element.plan.number}${rangeSql('"row"', added).join('')}`;
  return {
    sql: `INSERT INTO ${table} ${storedPropertiesSql(element, shape, added)}`,
    expected: `SELECT count(${isOfRows ? 'DISTINCT "row"' : '*'}) AS rows FROM ranked WHERE ${isNew}`,
  };
}
