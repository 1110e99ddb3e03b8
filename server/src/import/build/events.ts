import type { Lifecycle } from '../../../../protocol/lifecycles.ts';
import { inOrderOf } from './build-dialect.ts';
import { codedActivityColumns, createCodedEventsSql } from './coded-events.ts';
import { stagedText } from './key-sql.ts';
import { type PhasedTime, byPhaseSql, phaseOf, timesOfElement } from './phases.ts';
import { opensSql, rankedTable, rawPhaseSql } from './transitions.ts';
import { type GraphShape, rowsTable } from './rows.ts';
import { sequenceKinds } from './sequence-sql.ts';
import type { StagedElement } from './staged-element.ts';

/**
 * Creates `ties_<n>`: numbers rows of an element that are still tied, by their canonical text (the last part of
 * docs/semantics.md#71-order-of-events). Completely equal rows stay tied, which does not affect the output. For ordered
 * rows, only multiplying joins cause ties.
 */
export function createTiesSql(element: StagedElement, shape: GraphShape): string {
  const { plan, columns } = element;
  const { build, canonical, identifiers } = shape.dialect;
  const row = identifiers.quote('row');
  const tied = (time: string): string => {
    const own = plan.ownEntity ? ['key'] : [];
    const same = shape.hasRowOrder ? ['place'] : [...own, time, ...sequenceNames(shape)];
    const isEvent = `${time} IS NOT NULL AND key IS NOT NULL`;
    const name = `${time}_ties`;
    if (build.ranges) {
      // Few rows are tied: grouping costs less than a window, which would send and sort all rows.
      return `SELECT rows.${row} FROM ${rowsTable(element)} AS rows JOIN (
        SELECT ${same.join(', ')} FROM ${rowsTable(element)} WHERE ${isEvent} GROUP BY ${same.join(', ')} HAVING count(*) > 1
      ) AS ${name} ON ${isOfGroup(same, name)}`;
    }
    return `SELECT ${row} FROM (
        SELECT ${row}, count(*) OVER (PARTITION BY ${same.join(', ')}) AS equal_rows FROM ${rowsTable(element)}
        WHERE ${isEvent}
      ) AS ${name} WHERE equal_rows > 1`;
  };
  const text = build.sortedText(canonical.row(columns.map((column) => stagedText(column, shape))));
  const times = shape.hasRowOrder ? ['start'] : timesOfElement(element).map(({ column }) => column);
  const rows = times.map(tied).join(' UNION ');
  // `dense_rank` would run on one worker; the texts give the same order.
  const tie = build.ranges ? text : `dense_rank() OVER (ORDER BY ${text})`;
  return `${build.createStaging} ${tiesTable(element)} AS
    SELECT staged.rowid AS ${row}, ${tie} AS tie
    FROM ${identifiers.quote(plan.table)} AS staged WHERE staged.rowid IN (${rows})`;
}

/** SQL condition: a row of `rows` belongs to a group. Of the grouping columns, only sequences may be NULL. */
function isOfGroup(columns: readonly string[], group: string): string {
  const isSame = (column: string): string => (column.startsWith('sequence_') ? 'IS NOT DISTINCT FROM' : '=');
  return columns.map((column) => `rows.${column} ${isSame(column)} ${group}.${column}`).join(' AND ');
}

/** Whether rows of this element can be ordered by their text only. */
export function mayHaveTies(element: StagedElement, shape: GraphShape): boolean {
  return !shape.hasRowOrder || element.rowOrder !== undefined;
}

export function tiesTable(element: StagedElement): string {
  return `ties_${element.plan.number}`;
}

/** An intermediate table or view for `ranked`. */
interface RankingStep {
  readonly name: string;
  readonly sql: string;
}

/**
 * Creates `ranked`: every event with its id, its rank over the whole graph (docs/semantics.md#72-event-ids-are-ranks).
 * In an engine that keeps row order, sorting a table and using row numbers is four times as fast as a window function.
 * @param first the time of the first ones, as SQL; all events without it
 */
export function createRankedSql(
  elements: readonly StagedElement[],
  shape: GraphShape,
  first?: string,
): readonly RankingStep[] {
  const { build } = shape.dialect;
  const { createStaging } = build;
  const ranked = rankedTable(shape);
  const order = rankingOrder(elements, shape);
  const columns = eventColumns(shape).join(', ');
  const events = createdEvents(elements, shape, first);
  const window = first === undefined ? '' : `WHERE time >= ${first}`;
  const from = `FROM (${events.join('\nUNION ALL\n')}) AS events ${window}`;
  if (!build.keepsRowOrder) {
    const id = `row_number() OVER (ORDER BY ${order}) AS id`;
    return [{ name: ranked, sql: `${createStaging} ${ranked} AS\n    SELECT ${id}, ${columns}\n    ${from}` }];
  }
  return [
    { name: 'sorted', sql: `${createStaging} sorted AS\n    SELECT ${columns}\n    ${from} ORDER BY ${order}` },
    {
      name: ranked,
      sql: `${build.createStagingView} ${ranked} AS SELECT rowid + 1 AS id, ${columns} FROM sorted`,
    },
  ];
}

/** The whole order of events (docs/semantics.md#71-order-of-events). */
export function rankingOrder(elements: readonly StagedElement[], shape: GraphShape): string {
  const row = shape.dialect.identifiers.quote('row');
  return [
    'time',
    ...sequenceNames(shape).map((each) => `${sequenceOrder(each, shape)} NULLS FIRST`),
    'phase',
    ...(elements.length > 1 ? ['element'] : []),
    ...(shape.hasRowOrder ? (shape.places ? ['place', 'tie'] : [row]) : ['entity_id', 'tie']),
  ].join(', ');
}

/** The columns of `ranked` after the id, and before pairing whether an event opens an activity. */
export function eventColumns({ dialect, activities, hasTransitions }: GraphShape): readonly string[] {
  const row = dialect.identifiers.quote('row');
  const ofRows = dialect.storage ? ['activity', 'other_activity'] : ['activity'];
  return [
    'element',
    row,
    'phase',
    'time',
    'entity_id',
    ...(activities ? ofRows : []),
    ...(hasTransitions ? ['opens'] : []),
  ];
}

/**
 * Queries of all events, including the columns that order them.
 * @param first as for `createRankedSql`; the end of an earlier start is left out with it
 */
export function createdEvents(
  elements: readonly StagedElement[],
  shape: GraphShape,
  first?: string,
): readonly string[] {
  return elements.flatMap((element) => eventsSql(element, shape, first));
}

function eventsSql(element: StagedElement, shape: GraphShape, first: string | undefined): readonly string[] {
  const { number, entityType, ownEntity } = element.plan;
  const { identifiers, literals, storage } = shape.dialect;
  const row = identifiers.quote('row');
  const activity = storage ? codedActivityColumns(storage) : ['rows.activity'];
  const ties = mayHaveTies(element, shape);
  const rankTies = !shape.hasRowOrder || shape.places;
  const select = ({ lifecycle, column }: PhasedTime): string => {
    const columns = [
      `CAST(${number} AS INTEGER) AS element`,
      `rows.${row}`,
      `${element.transition ? rawPhaseSql : `CAST(${phaseOf(lifecycle)} AS smallint)`} AS phase`,
      ...(shape.hasTransitions ? [`${element.transition ? opensSql : 'false'} AS opens`] : []),
      `rows.${column} AS time`,
      `${ownEntity ? 'entity.id' : shape.dialect.build.noId} AS entity_id`,
      ...sequenceNames(shape).map((name) => `rows.${name}`),
      ...(shape.activities ? activity : []),
      ...(shape.places ? ['rows.place'] : []),
      ...(rankTies ? [ties ? 'ties.tie' : 'NULL AS tie'] : []),
    ];
    const tiesJoin = ties ? `LEFT JOIN ${tiesTable(element)} AS ties ON ties.${row} = rows.${row}` : '';
    const isOfSlice = lifecycle === 'end' && first !== undefined ? ` AND rows.start >= ${first}` : '';
    const counts = `${isEventSql[lifecycle]}${isOfSlice}`;
    if (!ownEntity) {
      return `SELECT ${columns.join(', ')} FROM ${rowsTable(element)} AS rows ${tiesJoin}
      WHERE rows.key IS NOT NULL AND rows.start IS NOT NULL ${counts}`;
    }
    return `SELECT ${columns.join(', ')} FROM ${rowsTable(element)} AS rows
      JOIN ${shape.dialect.graph}.entity AS entity ON entity.key = rows.key AND entity.entity_type = ${literals.quote(entityType)} ${tiesJoin}
      WHERE rows.start IS NOT NULL ${counts}`;
  };
  return timesOfElement(element).map(select);
}

/** Which further times of a row that has a start are events: NULL is none. */
const isEventSql: Readonly<Record<Lifecycle, string>> = {
  start: '',
  change: 'AND rows.change <> rows.start',
  end: 'AND rows.ended >= rows.start',
};

/** Text sequences use binary order. */
function sequenceOrder(name: string, { dialect }: GraphShape): string {
  return name === 'sequence_text' ? dialect.build.sortedText(name) : name;
}

export function sequenceNames(shape: GraphShape): readonly string[] {
  return sequenceKinds.filter((kind) => shape.sequences.has(kind)).map((kind) => `sequence_${kind}`);
}

/** Creates `event` from `ranked`. A row with an empty activity column gets the element's activity. */
export function createEventsSql(
  elements: readonly StagedElement[],
  shape: GraphShape,
): readonly { readonly name: string; readonly sql: string; readonly table?: string }[] {
  const { build, graph, literals, storage } = shape.dialect;
  if (storage) return createCodedEventsSql(elements, shape, storage);
  const table = `${graph}.event`;
  const names = new Map(elements.map(({ plan }) => [plan.number, plan.activityName]));
  const last = Math.max(0, ...names.keys());
  const list = Array.from({ length: last }, (_, index) => literals.quote(names.get(index + 1) ?? ''));
  const element = build.elementAt(list, 'element');
  const sql = `CREATE TABLE ${table} AS
    SELECT id, ${element} AS element, ${shape.activities ? `coalesce(activity, ${element})` : element} AS activity,
      ${byPhaseSql(literals.quote)} AS lifecycle, time, entity_id
    FROM ranked${inOrderOf('id', shape.dialect)}`;
  return [{ name: 'event', sql, table }];
}
