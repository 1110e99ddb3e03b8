import type { Lifecycle } from '../../../../protocol/lifecycles.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { StatementsStep } from './plan-statement.ts';
import type { StagedMasterData } from './master-data.ts';
import { noTimeSql, rowCountsSql } from './row-counts.ts';
import { rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';
import { type TimePlace, isInUtc, placeOfColumn } from './utc-time.ts';
import type { StagedColumn } from '../../connectors/connector.ts';

/**
 * Finds values of an element that cannot be read as times: invalid texts, start timestamps first, then times out of
 * range. Undefined if impossible by type.
 */
export function noTimeStep(element: StagedElement, place: TimePlace): NoTimeStep | undefined {
  const questions = [
    { asks: 'start', title: 'The first start timestamp that is none', sql: noTimeSql(element, element.start, place) },
    {
      asks: 'change',
      title: 'The first change timestamp that is none',
      sql: noTimeSql(element, element.change, place),
    },
    { asks: 'end', title: 'The first end timestamp that is none', sql: noTimeSql(element, element.end, place) },
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

/**
 * Finds values of an entry of `entities` that cannot be read as times, in the same order. Undefined if impossible by
 * type.
 */
export function entityTimesStep(entry: StagedMasterData, place: TimePlace): EntityTimesStep | undefined {
  const { plan, validFrom } = entry;
  const questions = [
    { asks: 'validFrom', title: 'The first time of values that is none', sql: noTimeSql(entry, validFrom, place) },
    {
      asks: 'far',
      title: 'The first time that is too far away',
      sql: timeOutOfRangeSql({ ...entry, start: validFrom }, place),
    },
  ] as const;
  const asked = questions.flatMap(({ asks, title, sql }) => (sql === undefined ? [] : [{ asks, title, sql }]));
  if (asked.length === 0) return undefined;
  return {
    name: `times_entities_${plan.number}`,
    title: `Times of ${plan.name}`,
    asks: asked.map(({ asks }) => asks),
    statements: asked.map(({ title, sql }) => ({ title, sql })),
  };
}

interface EntityTimesStep extends StatementsStep {
  /** The kind of rows that each statement searches for. */
  readonly asks: readonly ('validFrom' | 'far')[];
}

interface NoTimeStep extends StatementsStep {
  /** The kind of rows that each statement searches for. */
  readonly asks: readonly (Lifecycle | 'far')[];
}

/** Counts the events of all elements: `element`, `events`, and `further` events of rows beside their start. */
export function eventCountsStep({ build }: BuildDialect): StatementsStep {
  const sql = `SELECT element, count(*) AS events, ${build.countIf('phase > 0')} AS further FROM ranked GROUP BY 1`;
  return { name: 'counts', title: 'Counting events', statements: [{ title: 'Events of each element', sql }] };
}

/** The sources of a graph's entities. */
export interface CountedGraph {
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
}

/** Names of activities that an import keeps of an element. */
export const activitiesKept = 20;

/**
 * Counts rows (`RowCounts`) and entities (`entities`) of one element; of one with an activity column also its most
 * frequent activities (`activity`), each with the number of all (`activities`).
 */
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
      ...(element.activity ? [{ title: 'Activities', sql: activitiesSql(element, place.dialect) }] : []),
    ],
  };
}

/** Without a window over all groups, which engines with several workers compute on one of them. */
function activitiesSql({ plan }: StagedElement, { graph, literals }: BuildDialect): string {
  return `WITH counted AS (SELECT activity, count(*) AS events FROM ${graph}.event WHERE element = ${literals.quote(plan.activityName)} GROUP BY activity)
SELECT activity, (SELECT count(*) FROM counted) AS activities FROM counted ORDER BY events DESC, activity LIMIT ${activitiesKept}`;
}

/**
 * Counts the entities of an element. If nothing else has its entity type, these are counted in the graph, which is
 * faster.
 */
function entitiesSql(element: StagedElement, { elements: all, entities }: CountedGraph, dialect: BuildDialect): string {
  const { entityType, ownEntity } = element.plan;
  if (!ownEntity) return 'SELECT 0 AS entities';
  const makers = [
    ...all.filter(({ plan }) => plan.ownEntity),
    ...entities,
    ...all.flatMap(({ correlations }) => correlations),
  ].filter(({ plan }) => plan.entityType === entityType);
  return makers.length === 1
    ? `SELECT count(*) AS entities FROM ${dialect.graph}.entity WHERE entity_type = ${dialect.literals.quote(entityType)}`
    : `SELECT count(DISTINCT key) AS entities FROM ${rowsTable(element)}`;
}

/**
 * Counts the pairs and the related entities of each relationship: `relationship`, `pairs`, `sources`; then
 * `relationship`, `targets`. Grouped twice, because `count(DISTINCT …)` sorts all pairs in PostgreSQL. `relation` is
 * sorted: an engine that keeps row order counts the source entities by comparing neighbours.
 */
export function pairsStep({ graph, build }: BuildDialect): StatementsStep {
  const grouped = (columns: string, end: 'source' | 'target', counted = ''): string =>
    `SELECT relationship, ${columns} FROM (SELECT relationship, ${end}_entity_id${counted} FROM ${graph}.relation GROUP BY 1, 2) AS related GROUP BY 1`;
  return {
    name: 'pairs',
    title: 'Counting relations',
    statements: [
      {
        title: 'Pairs of each relationship, and source entities with a target',
        sql: build.keepsRowOrder
          ? `SELECT relationship, count(*) AS pairs, ${build.countIf('is_first')} AS sources FROM (
      SELECT relationship, relationship IS DISTINCT FROM lag(relationship) OVER () OR source_entity_id <> lag(source_entity_id) OVER () AS is_first FROM ${graph}.relation
    ) AS neighbours GROUP BY 1`
          : grouped('sum(pairs) AS pairs, count(*) AS sources', 'source', ', count(*) AS pairs'),
      },
      {
        title: 'Target entities of each relationship with a source',
        sql: grouped('count(*) AS targets', 'target'),
      },
    ],
  };
}

/** Staged rows of an element or an entry of `entities`. */
interface RowsWithTimes {
  readonly plan: { readonly table: string };
  readonly columns: readonly StagedColumn[];
  readonly start?: StagedColumn | undefined;
  readonly change?: StagedColumn;
  readonly end?: StagedColumn;
  readonly sequence?: StagedColumn;
}

/** Columns whose values are converted to UTC. The conversion fails close to the limits of the engine. */
function convertedColumns(
  { columns, start, change, end, sequence }: RowsWithTimes,
  place: TimePlace,
): readonly StagedColumn[] {
  const dates = new Set(
    [start, change, end, sequence].flatMap((role) => (role?.sense === 'date' ? [role.stagedAs] : [])),
  );
  // A role may be a copy of its column.
  const roles = columns.filter(({ stagedAs }) => dates.has(stagedAs));
  const naive = columns.filter(
    (column) => column.sense === 'timestamp' && column.zoned !== true && !isInUtc(placeOfColumn(column, place)),
  );
  return [...roles, ...naive];
}

/**
 * SQL of the first row with a time too close to the limits of the engine for zone conversion: `row` (1-based),
 * `place` of the column in the rows, and `value`. Undefined without conversion.
 */
function timeOutOfRangeSql(rows: RowsWithTimes, place: TimePlace): string | undefined {
  const columns = convertedColumns(rows, place);
  if (columns.length === 0) return undefined;
  const tests = columns.map((column) => ({ column, isFar: isFar(column, place) }));
  const places = tests.map(({ column, isFar: test }) => `WHEN ${test} THEN ${rows.columns.indexOf(column)}`);
  const values = tests.map(({ column, isFar: test }) => `WHEN ${test} THEN CAST(${column.stagedAs} AS VARCHAR)`);
  const { identifiers } = place.dialect;
  return `SELECT rowid + 1 AS ${identifiers.quote('row')}, CASE ${places.join(' ')} END AS place, CASE ${values.join(' ')} END AS value
    FROM ${identifiers.quote(rows.plan.table)} WHERE ${tests.map(({ isFar: test }) => test).join(' OR ')} ORDER BY rowid LIMIT 1`;
}

function isFar({ stagedAs, sense }: StagedColumn, { dialect }: TimePlace): string {
  const { times, literals } = dialect;
  const [first, last] = times.movable.map((end) => `${sense === 'date' ? 'DATE' : 'TIMESTAMP'} ${literals.quote(end)}`);
  return `(${times.isFinite(stagedAs)} AND ${stagedAs} NOT BETWEEN ${first} AND ${last})`;
}
