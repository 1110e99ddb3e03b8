import { keySql } from './key-sql.ts';
import { sequenceKind, sequenceKinds, sequenceSql } from './sequence-sql.ts';
import type { StagedElement } from './staged-element.ts';
import { stagedText } from './key-sql.ts';
import { type TimePlace, utcTime } from './utc-time.ts';
import type { BuildDialect } from './build-dialect.ts';

/** The table of an element's rows reduced to what events are made from. */
export function rowsTable(element: StagedElement): string {
  return `rows_${element.plan.number}`;
}

/**
 * Creates `rows_<n>`: `row` (place of the staged row), `key`, `start`, `change` (NULL unless it differs from the start),
 * `sequence_…` for each kind used in the graph, `activity` when a column says it, `place` where joins could change the
 * order of a file's rows.
 */
export function createRowsSql(element: StagedElement, shape: GraphShape): string {
  const { key, start, change, sequence, activity, rowOrder, plan } = element;
  const { build, identifiers } = shape.dialect;
  const sequences = sequenceKinds
    .filter((kind) => shape.sequences.has(kind))
    .map((kind) => {
      const own = sequence && sequenceKind(sequence) === kind ? sequenceSql(sequence, shape) : build.noSequence(kind);
      return `${own} AS sequence_${kind}`;
    });
  const columns = [
    `${build.rowPlace} AS ${identifiers.quote('row')}`,
    `${keySql(key, shape)} AS key`,
    `${utcTime(start, shape)} AS start`,
    ...(change ? [`${utcTime(change, shape)} AS change`] : []),
    ...sequences,
    ...(shape.activities ? [`${activity ? stagedText(activity, shape) : build.noText} AS activity`] : []),
    ...(shape.places ? [`${rowOrder ? rowOrder.stagedAs : build.rowPlace} AS place`] : []),
  ];
  return `${build.createStaging} ${rowsTable(element)} AS SELECT ${columns.join(', ')} FROM ${identifiers.quote(plan.table)}`;
}

/** What all elements of a graph have in common, so that their rows can be ranked together. */
export interface GraphShape extends TimePlace {
  /** Rows have an order of their own (files). */
  readonly hasRowOrder: boolean;
  readonly sequences: ReadonlySet<ReturnType<typeof sequenceKind>>;
  /** Some element takes its activities from a column. */
  readonly activities: boolean;
  /** Some element says where in its file a row stands. */
  readonly places: boolean;
  /** Some element has events without an entity of their own. */
  readonly mayLackEntity: boolean;
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
  };
}
