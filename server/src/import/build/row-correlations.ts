import { nameSql } from './code-types.ts';
import { keySql, stagedText } from './key-sql.ts';
import { type RowRange, rangeSql } from './row-ranges.ts';
import type { GraphShape } from './rows.ts';
import type { StagedCorrelation, StagedElement } from './staged-element.ts';

/** A row correlation of an element, and the location of the keys named by its rows. */
export interface LinkedKeys {
  readonly element: StagedElement;
  readonly correlation: StagedCorrelation;
  /** SQL after FROM: a relation of `row` (number of the staged row) and `key`, each pair once. */
  readonly from: string;
}

/** The row correlations of all elements. */
export function linkedKeys(elements: readonly StagedElement[], shape: GraphShape): readonly LinkedKeys[] {
  return elements.flatMap((element) =>
    element.correlations.map((correlation) => {
      const from = correlation.plan.list
        ? linkedTable(element, correlation)
        : `(${singleKeysSql(element, correlation, shape)})`;
      return { element, correlation, from };
    }),
  );
}

/** The table of keys extracted from a list column. */
export function linkedTable({ plan }: StagedElement, { number }: StagedCorrelation): string {
  return `linked_${plan.number}_${number}`;
}

/** Creates the table of a correlation with a list; undefined for others, whose keys are columns. */
export function createLinkedSql(
  element: StagedElement,
  correlation: StagedCorrelation,
  shape: GraphShape,
): string | undefined {
  const { list } = correlation.plan;
  const [column] = correlation.key;
  if (!list || !column) return undefined;
  const { build, identifiers } = shape.dialect;
  const from = `FROM ${identifiers.quote(element.plan.table)} WHERE ${hasOwnKey(element)}`;
  const value = { row: 'rowid', text: stagedText(column, shape), from };
  const keys = list.kind === 'each' ? build.lists.items(value) : build.lists.split(value, list.separator);
  return `${build.createStaging} ${linkedTable(element, correlation)} AS
    SELECT "row", key FROM (${keys}) AS keys WHERE key <> ''`;
}

/** Finds the first value that should be a list: `row` (1-based) and `value`. */
export function noListSql(
  element: StagedElement,
  { plan, key }: StagedCorrelation,
  shape: Pick<GraphShape, 'dialect' | 'timeZone'>,
): string | undefined {
  const [column] = key;
  if (plan.list?.kind !== 'each' || !column) return undefined;
  const { build, identifiers } = shape.dialect;
  const text = stagedText(column, shape);
  return `SELECT rowid + 1 AS "row", ${text} AS value FROM ${identifiers.quote(element.plan.table)}
    WHERE ${build.lists.isNoList(text, column.sense !== 'json')} ORDER BY rowid LIMIT 1`;
}

function singleKeysSql(element: StagedElement, { key }: StagedCorrelation, shape: GraphShape): string {
  const parts = key.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`);
  return `SELECT rowid AS "row", ${keySql(key, shape)} AS key FROM ${shape.dialect.identifiers.quote(element.plan.table)}
      WHERE ${[hasOwnKey(element), ...parts].join(' AND ')}`;
}

/** A row without its own key is ignored. */
function hasOwnKey({ key }: StagedElement): string {
  return key.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`).join(' AND ');
}

/** SQL of the correlations named by rows: `event_id`, `entity_id`, `qualifier`, except for the event's own entity. */
export function rowCorrelationsSql({ element, correlation, from }: LinkedKeys, { dialect }: GraphShape): string {
  const { literals, graph } = dialect;
  const { entityType, qualifier } = correlation.plan;
  const other =
    element.plan.ownEntity && element.plan.entityType === entityType ? ' AND entity.id <> ranked.entity_id' : '';
  return `SELECT ranked.id AS event_id, entity.id AS entity_id, ${nameSql('qualifier', qualifier, dialect)} AS qualifier
    FROM ranked JOIN ${from} AS linked ON linked."row" = ranked."row"
      JOIN ${graph}.entity AS entity ON entity.key = linked.key AND entity.entity_type = ${literals.quote(entityType)}
    WHERE ranked.element = ${element.plan.number}${other}`;
}

/**
 * SQL of the correlations named by a range of rows of one element, with place and time of the event. Keys are looked up
 * first, so that events are joined only once.
 * @param events SQL of all events with their places
 * @param linked one or more, all of one element
 */
export function placedRowCorrelationsSql(
  element: StagedElement,
  linked: readonly LinkedKeys[],
  { dialect }: GraphShape,
  events: string,
  range: RowRange,
): string {
  const { literals, graph, identifiers } = dialect;
  const row = identifiers.quote('row');
  const named = linked.map(({ correlation: { plan }, from }) => {
    const inRange = rangeSql(`linked.${row}`, range).join('');
    return `SELECT linked.${row}, entity.id AS entity_id, ${nameSql('qualifier', plan.qualifier, dialect)} AS qualifier
      FROM ${from} AS linked JOIN ${graph}.entity AS entity ON entity.key = linked.key
      WHERE entity.entity_type = ${literals.quote(plan.entityType)}${inRange}`;
  });
  const { number, ownEntity, entityType } = element.plan;
  const isOwn = ownEntity && linked.some(({ correlation }) => correlation.plan.entityType === entityType);
  return `SELECT event.id AS event_id, named.entity_id, named.qualifier, event.place, event.time
    FROM (${named.join('\n      UNION ALL ')}) AS named JOIN (${events}) AS event ON event.${row} = named.${row}
    WHERE event.element = ${number}${rangeSql(`event.${row}`, range).join('')}${isOwn ? ' AND named.entity_id <> event.entity_id' : ''}`;
}
