import type { BuildDialect } from './build-dialect.ts';
import type { StatementsStep } from './plan-statement.ts';
import { noTimeSql, rowCountsSql } from './row-counts.ts';
import { rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';
import type { TimePlace } from './utc-time.ts';

/** Looks for texts of an element that are no times, its start timestamps first; undefined where it has no texts for times. */
export function noTimeStep(element: StagedElement, place: TimePlace): NoTimeStep | undefined {
  const roles = (['start', 'change'] as const).filter((role) => noTimeSql(element, role, place) !== undefined);
  if (roles.length === 0) return undefined;
  const title = (role: (typeof roles)[number]): string => `The first ${role} timestamp that is none`;
  return {
    name: `times_${element.plan.number}`,
    title: `Times of ${element.plan.activityName}`,
    roles,
    statements: roles.map((role) => ({ title: title(role), sql: noTimeSql(element, role, place) ?? '' })),
  };
}

export interface NoTimeStep extends StatementsStep {
  /** What each statement looks at. */
  readonly roles: readonly ('start' | 'change')[];
}

/** Counts the events of every element at once: `element`, `events`, `changes`. */
export const eventCountsStep: StatementsStep = {
  name: 'counts',
  title: 'Counting events',
  statements: [
    {
      title: 'Events of each element',
      sql: 'SELECT element, count(*) AS events, count(*) FILTER (WHERE change) AS changes FROM ranked GROUP BY 1',
    },
  ],
};

/** Counts rows (`RowCounts`) and entities (`entities`) of one element. */
export function elementCountsStep(
  element: StagedElement,
  all: readonly StagedElement[],
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
function entitiesSql(element: StagedElement, all: readonly StagedElement[], { graph }: BuildDialect): string {
  const { entityType } = element.plan;
  const alone = all.every((other) => other === element || other.plan.entityType !== entityType);
  const onlyType = all.every((other) => other.plan.entityType === entityType);
  return alone && onlyType
    ? `SELECT count(*) AS entities FROM ${graph}.entity`
    : `SELECT count(DISTINCT key) AS entities FROM ${rowsTable(element)}`;
}

/** Counts the pairs of each relationship: `relationship`, `pairs`. */
export function pairsStep({ graph }: BuildDialect): StatementsStep {
  const sql = `SELECT relationship, count(*) AS pairs FROM ${graph}.relation GROUP BY 1`;
  return { name: 'pairs', title: 'Counting relations', statements: [{ title: 'Pairs of each relationship', sql }] };
}
