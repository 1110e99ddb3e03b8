import type { BuildDialect } from './build-dialect.ts';
import { timeOutOfRangeSql } from './times-out-of-range.ts';
import type { StatementsStep } from './plan-statement.ts';
import type { StagedMasterData } from './master-data.ts';
import { noTimeSql, rowCountsSql } from './row-counts.ts';
import { rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';
import type { TimePlace } from './utc-time.ts';

/**
 * Finds values of an element that cannot be read as times: invalid texts, start timestamps first, then times out of
 * range. Undefined if impossible by type.
 */
export function noTimeStep(element: StagedElement, place: TimePlace): NoTimeStep | undefined {
  const questions = [
    { asks: 'start', title: 'The first start timestamp that is none', sql: noTimeSql(element, 'start', place) },
    { asks: 'change', title: 'The first change timestamp that is none', sql: noTimeSql(element, 'change', place) },
    { asks: 'far', title: 'The first time that is too far away', sql: timeOutOfRangeSql(element, place) },
  ] as const;
  const asked = questions.flatMap(({ asks, title, sql }) => (sql === undefined ? [] : [{ asks, title, sql }]));
  if (asked.length === 0) return undefined;
  return {
    name: `times_${element.plan.number}`,
    title: `Times of ${element.plan.activityName}`,
    asks: asked.map(({ asks }) => asks),
    statements: asked.map(({ title, sql }) => ({ title, sql })),
  };
}

/** Finds the first time of an entry of `entities` that is out of range. Undefined if impossible by type. */
export function timeOutOfRangeStep(entry: StagedMasterData, place: TimePlace): StatementsStep | undefined {
  const sql = timeOutOfRangeSql(entry, place);
  if (sql === undefined) return undefined;
  return {
    name: `times_entities_${entry.plan.number}`,
    title: `Times of ${entry.plan.name}`,
    statements: [{ title: 'The first time that is too far away', sql }],
  };
}

export interface NoTimeStep extends StatementsStep {
  /** What each statement searches for. */
  readonly asks: readonly ('start' | 'change' | 'far')[];
}

/** Counts the events of all elements: `element`, `events`, `changes`. */
export function eventCountsStep({ build }: BuildDialect): StatementsStep {
  const sql = `SELECT element, count(*) AS events, ${build.countIf('change')} AS changes FROM ranked GROUP BY 1`;
  return { name: 'counts', title: 'Counting events', statements: [{ title: 'Events of each element', sql }] };
}

/** The sources of a graph's entities. */
export interface CountedGraph {
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
}

/** Counts rows (`RowCounts`) and entities (`entities`) of one element. */
export function elementCountsStep(
  element: StagedElement,
  all: CountedGraph,
  place: TimePlace & { readonly dialect: BuildDialect },
): StatementsStep {
  return {
    name: `counts_${element.plan.number}`,
    title: `Counting ${element.plan.activityName}`,
    statements: [
      { title: 'Rows that are no events, or odd ones', sql: rowCountsSql(element, place) },
      { title: 'Entities', sql: entitiesSql(element, all, place.dialect) },
    ],
  };
}

/** An element that has its entity type for itself need not be counted again. */
function entitiesSql(
  element: StagedElement,
  { elements: all, entities }: CountedGraph,
  { graph }: BuildDialect,
): string {
  const hasOthers = entities.length > 0 || all.some(({ correlations }) => correlations.length > 0);
  const { entityType, ownEntity } = element.plan;
  if (!ownEntity) return 'SELECT 0 AS entities';
  const alone = all.every((other) => other === element || other.plan.entityType !== entityType);
  const onlyType = all.every((other) => other.plan.entityType === entityType);
  return alone && onlyType && !hasOthers
    ? `SELECT count(*) AS entities FROM ${graph}.entity`
    : `SELECT count(DISTINCT key) AS entities FROM ${rowsTable(element)}`;
}

/** Counts the pairs of each relationship: `relationship`, `pairs`. */
export function pairsStep({ graph }: BuildDialect): StatementsStep {
  const sql = `SELECT relationship, count(*) AS pairs FROM ${graph}.relation GROUP BY 1`;
  return { name: 'pairs', title: 'Counting relations', statements: [{ title: 'Pairs of each relationship', sql }] };
}
