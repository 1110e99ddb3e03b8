import type { StagedColumn } from '../../connectors/connector.ts';
import { keySql } from './key-sql.ts';
import { hasEnds, timesOfElement } from './phases.ts';
import { transitionSql } from './transitions.ts';
import { sequenceKind, sequenceKinds, sequenceSql } from './sequence-sql.ts';
import type { StagedElement } from './staged-element.ts';
import { stagedText } from './key-sql.ts';
import { type TimePlace, utcTime } from './utc-time.ts';
import type { BuildDialect } from './build-dialect.ts';

/** The table of an element's rows, reduced to the columns of events. */
export function rowsTable(element: StagedElement): string {
  return `rows_${element.plan.number}`;
}

/**
 * Creates `rows_<n>`: `row` (number of the staged row), `key`, `start`, `change`, `ended`, `transition`, `sequence_…` for each kind in
 * the graph, `activity` for an activity column, `place` where joins could change file
 * order.
 */
export function createRowsSql(element: StagedElement, shape: GraphShape): string {
  return `${shape.dialect.build.createStaging} ${rowsTable(element)} AS ${rowsSql(element, shape)}`;
}

/** The rows of `rows_<n>`, as a query. */
export function rowsSql(element: StagedElement, shape: GraphShape): string {
  const { key, sequence, activity, rowOrder, plan } = element;
  const { build, identifiers } = shape.dialect;
  const sequences = sequenceKinds
    .filter((kind) => shape.sequences.has(kind))
    .map((kind) => {
      const own = sequence && sequenceKind(sequence) === kind ? sequenceSql(sequence, shape) : build.noSequence(kind);
      return `${own} AS sequence_${kind}`;
    });
  const columns = [
    `rowid AS ${identifiers.quote('row')}`,
    `${keySql(key, shape)} AS key`,
    ...timesOfElement(element).map(({ time, column }) => `${utcTime(time, shape)} AS ${column}`),
    ...(element.transition ? [`${transitionSql(element, element.transition, shape)} AS transition`] : []),
    ...sequences,
    ...(shape.activities ? [`${activity ? activitySql(activity, element, shape) : build.noText} AS activity`] : []),
    ...(shape.places ? [`${rowOrder?.stagedAs ?? 'rowid'} AS place`] : []),
  ];
  return `SELECT ${columns.join(', ')} FROM ${identifiers.quote(plan.table)}`;
}

/** The activity of a row: the text of its column, or the name that the element gives to it. */
function activitySql(activity: StagedColumn, { plan }: StagedElement, shape: GraphShape): string {
  const text = stagedText(activity, shape);
  const { renames = [] } = plan.element.activityNames ?? {};
  if (renames.length === 0) return text;
  const { quote } = shape.dialect.literals;
  const names = renames.map(({ text: old, name }) => `WHEN ${quote(old.value)} THEN ${quote(name.value)}`);
  return `CASE ${text} ${names.join(' ')} ELSE ${text} END`;
}

/** Common properties of all elements of a graph, for ranking their rows together. */
export interface GraphShape extends TimePlace {
  /** Rows have an inherent order (files). */
  readonly hasRowOrder: boolean;
  readonly sequences: ReadonlySet<ReturnType<typeof sequenceKind>>;
  /** Some element has an activity column. */
  readonly activities: boolean;
  /** Some element has file row numbers. */
  readonly places: boolean;
  /** Some element has events without an entity of their own. */
  readonly mayLackEntity: boolean;
  /** Some element has events of the lifecycle `end`. */
  readonly hasEnds: boolean;
  /** Rows of some element are starts or ends, which are paired once events are in order. */
  readonly hasTransitions: boolean;
}

export function graphShape(
  elements: readonly StagedElement[],
  {
    dialect,
    timeZone,
    hasRowOrder,
  }: { readonly dialect: BuildDialect; readonly timeZone: string; readonly hasRowOrder: boolean },
): GraphShape {
  const sequences = elements.flatMap(({ sequence }) => (sequence ? [sequenceKind(sequence)] : []));
  return {
    dialect,
    timeZone,
    hasRowOrder,
    sequences: new Set(sequences),
    activities: elements.some(({ activity }) => activity !== undefined),
    places: elements.some(({ rowOrder }) => rowOrder !== undefined),
    mayLackEntity: elements.some(({ plan }) => !plan.ownEntity),
    hasEnds: elements.some(hasEnds),
    hasTransitions: elements.some(({ transition }) => transition !== undefined),
  };
}
