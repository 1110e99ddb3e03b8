import type { InNextImport } from '../../graph-schema/graph-schema.ts';
import { codedEventsTable } from '../../graph-schema/storage-tables.ts';
import { duckdbBuild } from '../build/build-dialect.ts';
import { isNameSql } from '../build/code-types.ts';
import { sequenceNames, sequenceOrders } from '../build/events.ts';
import { propertyColumnsSql, propertyNames, storedProperties } from '../build/properties.ts';
import { type GraphShape, rowsSql, rowsTable } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import { addedTable, changedTable } from './compared-rows.ts';
import { copyBuild } from './graph-copy.ts';

/**
 * Creates `rows_<n>` as views of staged rows, for counts: no graph is built from them.
 * @param isLeftOut elements whose new rows are left out
 */
export function createRowViewsSql(
  elements: readonly StagedElement[],
  shape: GraphShape,
  isLeftOut: (element: StagedElement) => boolean = () => false,
): readonly string[] {
  const { createStagingView } = shape.dialect.build;
  return elements.map((element) => {
    const old = isLeftOut(element) ? ` WHERE rowid NOT IN (SELECT "row" FROM ${addedTable(element.plan.table)})` : '';
    return `${createStagingView} ${rowsTable(element)} AS ${rowsSql(element, shape)}${old}`;
  });
}

/** Creates `ranked` as a view of the events of the graph, for counts and for tables that need no staged rows. */
export function createRankedViewSql(elements: readonly StagedElement[], { activities }: GraphShape): string {
  const { build, storage } = duckdbBuild;
  const numbers = elements.map(
    ({ plan }) => `WHEN ${isNameSql('element', 'element', plan.activityName, duckdbBuild)} THEN ${plan.number}`,
  );
  const change = isNameSql('lifecycle', 'lifecycle', 'change', duckdbBuild);
  const columns = [
    ...['id', `CASE ${numbers.join(' ')} END AS element`, 'CAST(NULL AS BIGINT) AS "row"', `${change} AS change`],
    ...['time', 'entity_id', ...(activities ? ['activity', 'other_activity'] : [])],
  ];
  return `${build.createStagingView} ranked AS SELECT ${columns.join(', ')} FROM ${storage.tables}.${codedEventsTable}`;
}

/** The table of start events of an element with the entity and the time of a changed row. */
function startsTable(table: string): string {
  return `starts_${table}`;
}

function timesTable(table: string): string {
  return `times_${table}`;
}

/**
 * Creates the table of the start events of changed rows in the copy: `row` and `id`. Rows of one entity and one time are
 * ordered by their sequence and place, and so are the ids of their events (docs/semantics.md#71-order-of-events). Events
 * and rows that find no partner have NULL in its place.
 */
export function createStartsSql(element: StagedElement, shape: GraphShape): readonly string[] {
  const { table, entityType, activityName } = element.plan;
  const { graph, literals, storage } = copyBuild;
  const [rows, times] = [rowsTable(element), timesTable(table)];
  const order = [...sequenceOrders(shape), 'rows."row"'].join(', ');
  return [
    `CREATE TEMP TABLE ${times} AS SELECT DISTINCT entity.id AS entity_id, rows.key, rows.start
    FROM ${rows} AS rows JOIN ${graph}.entity AS entity ON entity.key = rows.key AND entity.entity_type = ${literals.quote(entityType)}
    WHERE rows.start IS NOT NULL AND rows."row" IN (SELECT "row" FROM ${changedTable(table)})`,
    `CREATE TEMP TABLE ${startsTable(table)} AS SELECT placed."row", found.id FROM (
      SELECT times.entity_id, times.start, rows."row", row_number() OVER (PARTITION BY times.entity_id, times.start ORDER BY ${order}) AS place
      FROM ${rows} AS rows JOIN ${times} AS times ON times.key = rows.key AND times.start = rows.start
    ) AS placed FULL JOIN (
      SELECT times.entity_id, times.start, event.id, row_number() OVER (PARTITION BY times.entity_id, times.start ORDER BY event.id) AS place
      FROM ${storage.tables}.${codedEventsTable} AS event JOIN ${times} AS times ON times.entity_id = event.entity_id AND times.start = event.time
      WHERE ${isNameSql('event.element', 'element', activityName, copyBuild)} AND ${isNameSql('event.lifecycle', 'lifecycle', 'start', copyBuild)}
    ) AS found USING (entity_id, start, place)`,
  ];
}

/** The rows and events without a partner (`alone`), and the changed rows that have an event (`changed`). */
export function countStartsSql({ plan: { table } }: StagedElement): string {
  return `SELECT count(*) FILTER (WHERE "row" IS NULL OR id IS NULL) AS alone,
      count(*) FILTER (WHERE "row" IN (SELECT "row" FROM ${changedTable(table)})) AS changed FROM ${startsTable(table)}`;
}

/**
 * Counts the changed rows whose events are ordered by the text of the row, because other rows of the element have the
 * same entity, time and sequence.
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

/** Writes the new values of changed rows into the tables of the copy that have values of properties; undefined if there are none. */
type UpdateSql = (element: StagedElement, shape: GraphShape, changed: ReadonlySet<string>) => string | undefined;

const updates: { readonly [Table in InNextImport<'gets values'>]: UpdateSql } = {
  'properties_<n>'(element, shape, changed) {
    const { properties, plan } = element;
    const { quote } = copyBuild.identifiers;
    const { table, start, fixed } = storedProperties(element, copyBuild);
    const values = propertyColumnsSql(properties, fixed, shape);
    const names = propertyNames(properties, fixed).map(quote);
    const written = properties.flatMap(({ stagedAs }, index) => (changed.has(stagedAs) ? [index] : []));
    if (written.length === 0) return undefined;
    return `UPDATE ${table} AS stored SET ${written.map((index) => `${names[index]} = fresh.${names[index]}`).join(', ')}
    FROM (
      SELECT ${[`starts.id AS ${start}`, ...written.map((index) => values[index])].join(', ')}
      FROM ${startsTable(plan.table)} AS starts JOIN ${changedTable(plan.table)} AS staged ON staged."row" = starts."row"
    ) AS fresh WHERE fresh.${start} = stored.${start}`;
  },
};

/**
 * The statements that write the new values of changed rows of an element into the copy.
 * @param changed staged names of the columns with a changed value; others are not written
 */
export function updateValuesSql(
  element: StagedElement,
  shape: GraphShape,
  changed: ReadonlySet<string>,
): readonly string[] {
  return Object.values(updates).flatMap((update) => update(element, shape, changed) ?? []);
}
