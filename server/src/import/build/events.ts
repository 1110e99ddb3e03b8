import { inOrderOf } from './build-dialect.ts';
import { stagedText } from './key-sql.ts';
import { type GraphShape, rowsTable } from './rows.ts';
import { sequenceKinds } from './sequence-sql.ts';
import type { StagedElement } from './staged-element.ts';

/**
 * Creates `ties_<n>`: numbers, by their canonical text, for those rows of an element that nothing before tells apart (the
 * last part of docs/semantics.md#71-order-of-events). Rows that are equal in all they say stay equal: whatever their order, the output is the
 * same. Where rows have an order of their own, only joins that multiply them leave such rows.
 */
export function createTiesSql(element: StagedElement, shape: GraphShape): string {
  const { plan, columns, change } = element;
  const { build, canonical, identifiers } = shape.dialect;
  const row = identifiers.quote('row');
  const tied = (time: string): string => {
    const own = plan.ownEntity ? ['key'] : [];
    const same = shape.hasRowOrder ? ['place'] : [...own, time, ...sequenceNames(shape)];
    return `SELECT ${row} FROM (
        SELECT ${row}, count(*) OVER (PARTITION BY ${same.join(', ')}) AS equal_rows FROM ${rowsTable(element)}
        WHERE ${time} IS NOT NULL AND key IS NOT NULL
      ) AS ${time}_ties WHERE equal_rows > 1`;
  };
  const text = build.sortedText(canonical.row(columns.map((column) => stagedText(column, shape))));
  const rows = change && !shape.hasRowOrder ? `${tied('start')} UNION ${tied('change')}` : tied('start');
  return `${build.createStaging} ${tiesTable(element)} AS
    SELECT staged.${build.rowPlace} AS ${row}, dense_rank() OVER (ORDER BY ${text}) AS tie
    FROM ${identifiers.quote(plan.table)} AS staged WHERE staged.${build.rowPlace} IN (${rows})`;
}

/** Whether rows of this element can be told apart by nothing but their text. */
export function mayHaveTies(element: StagedElement, shape: GraphShape): boolean {
  return !shape.hasRowOrder || element.rowOrder !== undefined;
}

export function tiesTable(element: StagedElement): string {
  return `ties_${element.plan.number}`;
}

/** A table or view on the way to `ranked`. */
interface RankingStep {
  readonly name: string;
  readonly sql: string;
}

/**
 * Creates `ranked`: every event with its id, which is its rank over the whole graph (docs/semantics.md#72-event-ids-are-ranks). An engine
 * that keeps the order of rows sorts a table four times as fast as it numbers rows in a window, and the places of the rows in that table are their ranks.
 */
export function createRankedSql(
  elements: readonly StagedElement[],
  shape: GraphShape,
  since: string | undefined,
): readonly RankingStep[] {
  const { build, identifiers, times } = shape.dialect;
  const { createStaging } = build;
  const row = identifiers.quote('row');
  const order = [
    'time',
    ...sequenceNames(shape).map((each) => `${sequenceOrder(each, shape)} NULLS FIRST`),
    'change',
    ...(elements.length > 1 ? ['element'] : []),
    ...(shape.hasRowOrder ? (shape.places ? ['place', 'tie'] : [row]) : ['entity_id', 'tie']),
  ].join(', ');
  const columns = ['element', row, 'change', 'time', 'entity_id', ...(shape.activities ? ['activity'] : [])].join(', ');
  const events = elements.flatMap((element) => eventsSql(element, shape));
  const window = since === undefined ? '' : `WHERE time >= ${times.utcLiteral(since)}`;
  const from = `FROM (${events.join('\nUNION ALL\n')}) AS events ${window}`;
  if (!build.keepsRowOrder) {
    const id = `row_number() OVER (ORDER BY ${order}) AS id`;
    return [{ name: 'ranked', sql: `${createStaging} ranked AS\n    SELECT ${id}, ${columns}\n    ${from}` }];
  }
  return [
    { name: 'sorted', sql: `${createStaging} sorted AS\n    SELECT ${columns}\n    ${from} ORDER BY ${order}` },
    {
      name: 'ranked',
      sql: `${build.createStagingView} ranked AS SELECT ${build.rowPlace} + 1 AS id, ${columns} FROM sorted`,
    },
  ];
}

function eventsSql(element: StagedElement, shape: GraphShape): readonly string[] {
  const { number, entityType, ownEntity } = element.plan;
  const { graph, identifiers, literals } = shape.dialect;
  const row = identifiers.quote('row');
  const ties = mayHaveTies(element, shape);
  const rankTies = !shape.hasRowOrder || shape.places;
  const select = (change: boolean): string => {
    const columns = [
      `CAST(${number} AS INTEGER) AS element`,
      `rows.${row}`,
      `${change} AS change`,
      `${change ? 'rows.change' : 'rows.start'} AS time`,
      `${ownEntity ? 'entity.id' : shape.dialect.build.noId} AS entity_id`,
      ...sequenceNames(shape).map((name) => `rows.${name}`),
      ...(shape.activities ? ['rows.activity'] : []),
      ...(shape.places ? ['rows.place'] : []),
      ...(rankTies ? [ties ? 'ties.tie' : 'NULL AS tie'] : []),
    ];
    const tiesJoin = ties ? `LEFT JOIN ${tiesTable(element)} AS ties ON ties.${row} = rows.${row}` : '';
    const differs = change ? 'AND rows.change IS NOT NULL AND rows.change <> rows.start' : '';
    if (!ownEntity) {
      return `SELECT ${columns.join(', ')} FROM ${rowsTable(element)} AS rows ${tiesJoin}
      WHERE rows.key IS NOT NULL AND rows.start IS NOT NULL ${differs}`;
    }
    return `SELECT ${columns.join(', ')} FROM ${rowsTable(element)} AS rows
      JOIN ${graph}.entity AS entity ON entity.key = rows.key AND entity.entity_type = ${literals.quote(entityType)} ${tiesJoin}
      WHERE rows.start IS NOT NULL ${differs}`;
  };
  return element.change ? [select(false), select(true)] : [select(false)];
}

/** A sequence of text is sorted as text is everywhere. */
function sequenceOrder(name: string, { dialect }: GraphShape): string {
  return name === 'sequence_text' ? dialect.build.sortedText(name) : name;
}

function sequenceNames(shape: GraphShape): readonly string[] {
  return sequenceKinds.filter((kind) => shape.sequences.has(kind)).map((kind) => `sequence_${kind}`);
}

/** Creates the table `event` from `ranked`. A row whose activity column is empty has the element's own activity. */
export function createEventsSql(elements: readonly StagedElement[], shape: GraphShape): string {
  const names = new Map(elements.map(({ plan }) => [plan.number, plan.activityName]));
  const last = Math.max(0, ...names.keys());
  const { build, graph, literals } = shape.dialect;
  const list = Array.from({ length: last }, (_, index) => literals.quote(names.get(index + 1) ?? ''));
  const element = build.elementAt(list, 'element');
  return `CREATE TABLE ${graph}.event AS
    SELECT id, ${element} AS element, ${shape.activities ? `coalesce(activity, ${element})` : element} AS activity,
      CASE WHEN change THEN 'change' ELSE 'start' END AS lifecycle, time, entity_id
    FROM ranked${inOrderOf('id', shape.dialect)}`;
}
