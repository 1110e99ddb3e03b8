import type { ComparedPath, ComparedShares, ComparedVariant, FilterComparison } from '../../../protocol/analysis.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { millisecondsSql } from '../graph-schema/duration-classes.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { answerMeasures, countSubjects, subjectSql } from './answer-measures.ts';
import { shareDifference } from './causes/significance.ts';
import { measuredSql } from './entity-measures.ts';
import { eventPlaceSql } from './event-place.ts';
import type { ReadTypeFilter } from './filter-entities.ts';
import { numberedPathsSql, stepsSql } from './variant-sql.ts';

export interface Compared {
  readonly filter: ReadTypeFilter;
  readonly other: ReadTypeFilter;
  /** A SELECT of the variants of the type, where it is known. */
  readonly variants?: string | undefined;
}

/** Variants whose shares differ most. */
const mostVariants = 30;
/** Activities of a variant that are named. */
const mostActivities = 100;

/** Measures, paths and variants of the entities of two filters of one type. Rejects as the store does. */
export async function compareFilters(
  store: StoreReader,
  { filter, other, variants }: Compared,
  options: StatementOptions,
): Promise<FilterComparison> {
  const entities = {
    one: await countSubjects(store, filter, options),
    other: await countSubjects(store, other, options),
  };
  return {
    entities,
    measures: await answerMeasures(store, { filter, compare: other }, options),
    paths: await comparePaths(store, { filter, other, lifecycle: false }, entities, options),
    variants: await compareVariants(store, { filter, other, variants }, entities, options),
  };
}

/** All entities of the type that a filter leaves out. */
export function othersThan(filter: ReadTypeFilter): ReadTypeFilter {
  const { entityType } = filter;
  return {
    entityType,
    selected: [
      `SELECT o.id FROM entity AS o WHERE o.entity_type = ${duckdb.literals.quote(entityType)} AND o.id NOT IN (SELECT k.judged FROM (${subjectSql(filter)}) AS k)`,
    ],
  };
}

type Counts = FilterComparison['entities'];
type Row = Readonly<Record<string, unknown>>;

/** Both filters as `side`: `judged` and `is_one`. An entity may be in both. */
function sidesSql({ filter, other }: Compared): string {
  return `side AS MATERIALIZED (SELECT judged, true AS is_one FROM (${subjectSql(filter)}) AS f UNION ALL SELECT judged, false AS is_one FROM (${subjectSql(other)}) AS g)`;
}

/** The shares of entities that take each path. */
export async function comparePaths(
  store: StoreReader,
  { lifecycle, ...compared }: Compared & { readonly lifecycle: boolean },
  entities: Counts,
  options: StatementOptions,
): Promise<readonly ComparedPath[]> {
  const duration = millisecondsSql('s.time', 't.time');
  const of = (side: 'one' | 'other', isOne: string): string =>
    `count(DISTINCT df.entity_id) FILTER (WHERE ${isOne}) AS n_${side}, median(${duration}) FILTER (WHERE ${isOne}) AS median_${side}`;
  const rows = await store.query(
    `WITH ${sidesSql(compared)}
SELECT ${eventPlaceSql('s', { lifecycle })} AS source, ${eventPlaceSql('t', { lifecycle })} AS target, ${of('one', 'side.is_one')}, ${of('other', 'NOT side.is_one')}
FROM side JOIN directly_follows AS df ON df.entity_id = side.judged JOIN event AS s ON s.id = df.source_event_id JOIN event AS t ON t.id = df.target_event_id
GROUP BY 1, 2`,
    options,
  );
  return byDifference(
    rows.map((row) => ({ source: String(row['source']), target: String(row['target']), ...sharesOf(row, entities) })),
    ({ source, target }) => JSON.stringify([source, target]),
  );
}

async function compareVariants(
  store: StoreReader,
  compared: Compared,
  entities: Counts,
  options: StatementOptions,
): Promise<readonly ComparedVariant[]> {
  const { entityType } = compared.filter;
  const { hasCorrelations } = await judgedGraphTables(store, options);
  const duration = millisecondsSql('m.first', 'm.last');
  const of = (side: 'one' | 'other', isOne: string): string =>
    `count(*) FILTER (WHERE ${isOne}) AS n_${side}, median(${duration}) FILTER (WHERE ${isOne}) AS median_${side}`;
  const moved = `abs(n_one / ${Math.max(1, entities.one)} - n_other / ${Math.max(1, entities.other)})`;
  const rows = await store.query(
    `WITH ${sidesSql(compared)}, subject AS MATERIALIZED (SELECT DISTINCT judged FROM side), measured AS (
  ${measuredSql({ hasCorrelations, countsActivities: false })}
), path AS (${compared.variants ?? numberedPathsSql(entityType, hasCorrelations)}), counted AS (
  SELECT path.id, any_value(path.number) AS number, any_value(path.events) AS events, min(path.entity_id) AS example, ${of('one', 'side.is_one')}, ${of('other', 'NOT side.is_one')}
  FROM side JOIN path ON path.entity_id = side.judged JOIN measured AS m ON m.judged = side.judged GROUP BY path.id
), moved AS MATERIALIZED (
  SELECT * FROM counted ORDER BY ${moved} DESC, events, example LIMIT ${mostVariants}
), named AS (
  SELECT s.entity_id, list(s.activity ORDER BY s.step) AS activities
  FROM (${stepsSql({ lifecycle: false, hasCorrelations }, 'WHERE ee.entity_id IN (SELECT example FROM moved)')}) AS s WHERE s.step <= ${mostActivities} GROUP BY s.entity_id
)
SELECT moved.*, to_json(named.activities) AS activities
FROM moved JOIN named ON named.entity_id = moved.example`,
    options,
  );
  return byDifference(
    rows.map((row) => ({
      number: Number(row['number']),
      id: String(row['id']),
      events: Number(row['events']),
      activities: JSON.parse(String(row['activities'])) as readonly string[],
      ...sharesOf(row, entities),
    })),
    ({ number }) => String(number).padStart(12, '0'),
  );
}

function sharesOf(row: Row, entities: Counts): ComparedShares {
  const side = (name: 'one' | 'other') => {
    const found = Number(row[`n_${name}`] ?? 0);
    const median = row[`median_${name}`] ?? null;
    return {
      entities: found,
      share: entities[name] === 0 ? 0 : found / entities[name],
      median: median === null ? null : Number(median),
    };
  };
  const [one, other] = [side('one'), side('other')];
  const share = ({ entities: found }: { readonly entities: number }, of: number) => ({ found, of });
  const isComparable = entities.one > 0 && entities.other > 0;
  const found = isComparable
    ? shareDifference(share(one, entities.one), share(other, entities.other))
    : { difference: one.share - other.share, low: -1, high: 1 };
  return { one, other, difference: { value: found.difference, low: found.low, high: found.high } };
}

function byDifference<T extends ComparedShares>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
  const size = ({ difference }: T): number => Math.abs(difference.value);
  return rows.toSorted((one, other) => size(other) - size(one) || (keyOf(one) < keyOf(other) ? -1 : 1));
}
