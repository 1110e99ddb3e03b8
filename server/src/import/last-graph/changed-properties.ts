import { codedEventsTable } from '../../graph-schema/storage-tables.ts';
import { duckdbBuild } from '../build/build-dialect.ts';
import { isNameSql } from '../build/code-types.ts';
import { sequenceNames, sequenceOrders } from '../build/events.ts';
import { propertyColumnsSql, propertyNames, storedProperties } from '../build/properties.ts';
import { type GraphShape, rowsSql, rowsTable } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import { changedTable, comparedElement } from './compared-rows.ts';

const { tables } = duckdbBuild.storage;

/** Creates `rows_<n>` of staged rows as views: they are counted, but no graph is made of them. */
export function createRowViewsSql(elements: readonly StagedElement[], shape: GraphShape): readonly string[] {
  const { createStagingView } = shape.dialect.build;
  return elements.map((element) => `${createStagingView} ${rowsTable(element)} AS ${rowsSql(element, shape)}`);
}

/** Creates `ranked`, whose events are counted, from the events of a graph that is there. */
export function createRankedViewSql(elements: readonly StagedElement[], { dialect }: GraphShape): string {
  const numbers = elements.map(
    ({ plan }) => `WHEN ${isNameSql('element', 'element', plan.activityName, dialect)} THEN ${plan.number}`,
  );
  const change = isNameSql('lifecycle', 'lifecycle', 'change', dialect);
  return `${dialect.build.createStagingView} ranked AS SELECT id, CASE ${numbers.join(' ')} END AS element, ${change} AS change FROM ${tables}.${codedEventsTable}`;
}

/** Start events of an element that have the entity and the time of a changed row. */
export function startsTable(table: string): string {
  return `starts_${table}`;
}

function timesTable(table: string): string {
  return `times_${table}`;
}

/**
 * Creates the table of the start events of changed rows: `row` and `id`. Rows of one entity and one time are ordered by
 * their sequence and place, and so are the ids of their events (docs/semantics.md#71-order-of-events). Events and rows
 * that find no partner have NULL in its place.
 */
export function createStartsSql(element: StagedElement, shape: GraphShape): readonly string[] {
  const { table, entityType, activityName } = element.plan;
  const { dialect } = shape;
  const [rows, times] = [rowsTable(element), timesTable(table)];
  const order = [...sequenceOrders(shape), 'rows."row"'].join(', ');
  return [
    `CREATE TEMP TABLE ${times} AS SELECT DISTINCT entity.id AS entity_id, rows.key, rows.start
    FROM ${rows} AS rows JOIN ${dialect.graph}.entity AS entity ON entity.key = rows.key AND entity.entity_type = ${dialect.literals.quote(entityType)}
    WHERE rows.start IS NOT NULL AND rows."row" IN (SELECT "row" FROM ${changedTable(table)})`,
    `CREATE TEMP TABLE ${startsTable(table)} AS SELECT placed."row", found.id FROM (
      SELECT times.entity_id, times.start, rows."row", row_number() OVER (PARTITION BY times.entity_id, times.start ORDER BY ${order}) AS place
      FROM ${rows} AS rows JOIN ${times} AS times ON times.key = rows.key AND times.start = rows.start
    ) AS placed FULL JOIN (
      SELECT times.entity_id, times.start, event.id, row_number() OVER (PARTITION BY times.entity_id, times.start ORDER BY event.id) AS place
      FROM ${tables}.${codedEventsTable} AS event JOIN ${times} AS times ON times.entity_id = event.entity_id AND times.start = event.time
      WHERE ${isNameSql('event.element', 'element', activityName, dialect)} AND ${isNameSql('event.lifecycle', 'lifecycle', 'start', dialect)}
    ) AS found USING (entity_id, start, place)`,
  ];
}

/** The rows and events without a partner (`alone`), and the changed rows that have an event (`changed`). */
export function countStartsSql({ plan: { table } }: StagedElement): string {
  return `SELECT count(*) FILTER (WHERE "row" IS NULL OR id IS NULL) AS alone,
      count(*) FILTER (WHERE "row" IN (SELECT "row" FROM ${changedTable(table)})) AS changed FROM ${startsTable(table)}`;
}

/**
 * Counts the changed rows whose events are ordered by the text of the row: others of the element have the same entity,
 * time and sequence.
 */
export function countTiesSql(element: StagedElement, shape: GraphShape): string {
  const tied = (time: string): string => {
    const same = ['key', time, ...sequenceNames(shape)].join(', ');
    const changed = `SELECT "row" FROM ${changedTable(element.plan.table)}`;
    const times = `SELECT key, ${time} FROM ${rowsTable(element)} WHERE "row" IN (${changed})`;
    return `SELECT "row" FROM (
      SELECT "row", count(*) OVER (PARTITION BY ${same}) AS equal_rows FROM ${rowsTable(element)}
      WHERE ${time} IS NOT NULL AND (key, ${time}) IN (${times})
    ) AS same_${time} WHERE equal_rows > 1 AND "row" IN (${changed})`;
  };
  const rows = element.change ? `${tied('start')} UNION ALL ${tied('change')}` : tied('start');
  return `SELECT count(*) AS ties FROM (${rows}) AS tied`;
}

/** Writes the new values of changed rows into the properties of their events; undefined of an element without properties. */
export function updatePropertiesSql(element: StagedElement, shape: GraphShape): string | undefined {
  const { properties, plan } = element;
  if (properties.length === 0) return undefined;
  const { quote } = shape.dialect.identifiers;
  const { table, start, fixed } = storedProperties(element, shape.dialect);
  const staged = new Set(comparedElement(element, shape.hasRowOrder).values.map(({ stagedAs }) => stagedAs));
  const values = propertyColumnsSql(properties, fixed, shape);
  const names = propertyNames(properties, fixed).map(quote);
  // Properties that are keys or times as well have not changed.
  const written = properties.flatMap(({ stagedAs }, index) => (staged.has(stagedAs) ? [index] : []));
  if (written.length === 0) return undefined;
  return `UPDATE ${table} AS stored SET ${written.map((index) => `${names[index]} = fresh.${names[index]}`).join(', ')}
    FROM (
      SELECT ${[`starts.id AS ${start}`, ...written.map((index) => values[index])].join(', ')}
      FROM ${startsTable(plan.table)} AS starts JOIN ${changedTable(plan.table)} AS staged ON staged."row" = starts."row"
    ) AS fresh WHERE fresh.${start} = stored.${start}`;
}
