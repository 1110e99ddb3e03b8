import { codedEventsTable } from '../../graph-schema/storage-tables.ts';
import { duckdbBuild } from '../build/build-dialect.ts';
import { isNameSql } from '../build/code-types.ts';
import { sequenceOrders } from '../build/events.ts';
import { propertyColumnsSql, propertyNames, storedProperties } from '../build/properties.ts';
import { type GraphShape, rowsSql, rowsTable } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import { changedTable, comparedElement } from './compared-rows.ts';

const { tables } = duckdbBuild.storage;

/** What later steps count in `rows_<n>` and `ranked`, read from the staged rows and from a graph that is there. */
export function createRowViewsSql(elements: readonly StagedElement[], shape: GraphShape): readonly string[] {
  const { createStagingView } = shape.dialect.build;
  const numbers = elements.map(
    ({ plan }) => `WHEN ${isNameSql('element', 'element', plan.activityName, shape.dialect)} THEN ${plan.number}`,
  );
  return [
    ...elements.map((element) => `${createStagingView} ${rowsTable(element)} AS ${rowsSql(element, shape)}`),
    `${createStagingView} ranked AS SELECT id, CASE ${numbers.join(' ')} END AS element, ${isNameSql('lifecycle', 'lifecycle', 'change', shape.dialect)} AS change FROM ${tables}.${codedEventsTable}`,
  ];
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

/** Writes the new values of changed rows into the properties of their events; undefined of an element without properties. */
export function updatePropertiesSql(element: StagedElement, shape: GraphShape): string | undefined {
  const { properties, plan } = element;
  if (properties.length === 0) return undefined;
  const { quote } = shape.dialect.identifiers;
  const { table, start, fixed } = storedProperties(element, shape.dialect);
  const staged = new Set(comparedElement(element).values.map(({ stagedAs }) => stagedAs));
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
