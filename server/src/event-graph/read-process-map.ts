import type { GraphFilter, MapEdgeView, MapNodeView } from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { durationText } from './duration-text.ts';
import { entityCondition } from './filter-entities.ts';
import type { ProcessMap } from './process-map.ts';

/** Smaller graphs are counted directly, with more precise quantiles. */
const manySteps = 1_000_000;

/**
 * Counts directly-follows pairs of activities with the median and 90th percentile of their duration (t-digest, within
 * about one percent), and first and last activities. Event ids are chronological ranks, so the smallest is the first.
 * @param storedFrom number of steps above which the counts of the import are used, if the filter allows it.
 */
export async function readProcessMap(
  store: StoreReader,
  filter: GraphFilter,
  lifecycle: boolean,
  options: StatementOptions,
  storedFrom = manySteps,
): Promise<ProcessMap> {
  const counted: Counted = { store, filter, lifecycle, options };
  const sizes = await graphSizes(counted);
  if (sizes.steps >= storedFrom && (await hasStoredMap(counted))) return storedSteps(counted);
  return (sizes.alone ? await sortedSteps(counted, sizes.steps) : undefined) ?? joinedSteps(counted);
}

interface Counted {
  readonly store: StoreReader;
  readonly filter: GraphFilter;
  readonly lifecycle: boolean;
  readonly options: StatementOptions;
}

/** SQL of the activity label in the map. */
function placeSql(column: { readonly activity: string; readonly lifecycle: string }, lifecycle: boolean): string {
  const change = ` || CASE WHEN ${column.lifecycle} = 'change' THEN ' · change' ELSE '' END`;
  return `${column.activity}${lifecycle ? change : ''}`;
}

function eventPlaceSql(alias: string, lifecycle: boolean): string {
  return placeSql({ activity: `${alias}.activity`, lifecycle: `${alias}.lifecycle` }, lifecycle);
}

function whereSql(filter: GraphFilter, column: string): string {
  const condition = entityCondition(filter, column);
  return condition === undefined ? '' : `WHERE ${condition}`;
}

interface GraphSizes {
  /** Every event belongs to its own entity only. */
  readonly alone: boolean;
  readonly steps: number;
}

async function graphSizes({ store, options }: Counted): Promise<GraphSizes> {
  const sizes = `SELECT (SELECT count(*) FROM event) = (SELECT count(*) FROM event_entity) AS alone, (SELECT count(*) FROM directly_follows) AS steps`;
  const [graph] = await store.query(sizes, options);
  return { alone: graph?.['alone'] === true, steps: Number(graph?.['steps'] ?? 0) };
}

/** Older graphs have no stored map. It supports filters on entity types only. */
async function hasStoredMap({ store, filter, options }: Counted): Promise<boolean> {
  const { entityType: _counted, ...others } = filter;
  if (entityCondition(others, 'entity_id') !== undefined) return false;
  return (await storedTables(store, options)).some(({ schema }) => schema === 'process_map');
}

/** Quantiles are the mean of their duration class. */
async function storedSteps({ store, filter, lifecycle, options }: Counted): Promise<ProcessMap> {
  const place = (side: string): string =>
    placeSql({ activity: `${side}_activity`, lifecycle: `${side}_lifecycle` }, lifecycle);
  const quantile = (part: number): string => `min(mean) FILTER (WHERE upto >= ${part} * total)`;
  const rows = await store.query(
    `SELECT source, target, any_value(total) AS n, ${quantile(0.5)} AS median, ${quantile(0.9)} AS p90 FROM (
       SELECT source, target, milliseconds / steps AS mean, sum(steps) OVER edge AS total,
         sum(steps) OVER (edge ORDER BY duration_class) AS upto
       FROM (
         SELECT ${place('source')} AS source, ${place('target')} AS target, duration_class, sum(steps) AS steps, sum(milliseconds) AS milliseconds
         FROM process_map ${filter.entityType === undefined ? '' : `WHERE entity_type = ${duckdb.literals.quote(filter.entityType)}`} GROUP BY 1, 2, 3
       ) AS classes WINDOW edge AS (PARTITION BY source, target)
     ) AS running GROUP BY 1, 2 ORDER BY n DESC, 1, 2`,
    options,
  );
  return stepsToMap(rows);
}

/**
 * When every event belongs to its own entity only, sorting finds neighbours in two thirds of the time of joins.
 * Undefined when the result does not match the step count of the graph.
 */
async function sortedSteps(
  { store, filter, lifecycle, options }: Counted,
  steps: number,
): Promise<ProcessMap | undefined> {
  const rows = await store.query(
    `SELECT source, target, n, quantiles[1] AS median, quantiles[2] AS p90 FROM (
       SELECT CASE WHEN earlier_entity = entity_id THEN earlier END AS source, place AS target, count(*) AS n,
         approx_quantile(CASE WHEN earlier_entity = entity_id THEN epoch_ms(time) - epoch_ms(earlier_time) END, [0.5, 0.9]) AS quantiles
       FROM (
         SELECT place, time, entity_id, lag(place) OVER () AS earlier, lag(time) OVER () AS earlier_time, lag(entity_id) OVER () AS earlier_entity
         FROM (SELECT ${eventPlaceSql('v', lifecycle)} AS place, v.time, v.entity_id FROM event AS v ${whereSql(filter, 'v.entity_id')} ORDER BY v.entity_id, v.id)
       ) GROUP BY 1, 2
     ) AS counted ORDER BY n DESC, 1, 2`,
    options,
  );
  const map = stepsToMap(rows);
  const found = map.edges.reduce((sum, { count }) => sum + count, 0);
  return entityCondition(filter, 'entity_id') === undefined && found !== steps ? undefined : map;
}

/** Builds a map from rows; rows without a source count first events of entities. */
function stepsToMap(rows: readonly Row[]): ProcessMap {
  const edges = rows.filter((row) => row['source'] !== null).map(toEdge);
  const ends = new Map<string, { activity: string; starts: number; ends: number }>();
  const endOf = (activity: string) => {
    const known = ends.get(activity) ?? { activity, starts: 0, ends: 0 };
    ends.set(activity, known);
    return known;
  };
  for (const row of rows) {
    // Every event but the last of an entity has a successor.
    const [target, count] = [endOf(String(row['target'])), Number(row['n'])];
    target.ends += count;
    if (row['source'] === null) target.starts += count;
    else endOf(String(row['source'])).ends -= count;
  }
  return toMap(edges, [...ends.values()]);
}

async function joinedSteps({ store, filter, lifecycle, options }: Counted): Promise<ProcessMap> {
  const edges = await store.query(
    `SELECT source, target, n, quantiles[1] AS median, quantiles[2] AS p90 FROM (
       SELECT ${eventPlaceSql('s', lifecycle)} AS source, ${eventPlaceSql('t', lifecycle)} AS target, count(*) AS n,
         approx_quantile(epoch_ms(t.time) - epoch_ms(s.time), [0.5, 0.9]) AS quantiles
       FROM directly_follows AS df JOIN event AS s ON s.id = df.source_event_id JOIN event AS t ON t.id = df.target_event_id
       ${whereSql(filter, 'df.entity_id')} GROUP BY 1, 2
     ) AS counted ORDER BY n DESC, 1, 2`,
    options,
  );
  const name = eventPlaceSql('v', lifecycle);
  const ends = await store.query(
    `WITH bounds AS (SELECT min(ee.event_id) AS first, max(ee.event_id) AS last FROM event_entity AS ee ${whereSql(filter, 'ee.entity_id')} GROUP BY ee.entity_id)
     SELECT activity, sum(starts) AS starts, sum(ends) AS ends FROM (
       SELECT ${name} AS activity, count(*) AS starts, 0 AS ends FROM bounds JOIN event AS v ON v.id = bounds.first GROUP BY 1
       UNION ALL
       SELECT ${name} AS activity, 0 AS starts, count(*) AS ends FROM bounds JOIN event AS v ON v.id = bounds.last GROUP BY 1
     ) GROUP BY 1`,
    options,
  );
  return toMap(edges.map(toEdge), ends);
}

type Row = Readonly<Record<string, unknown>>;

function toEdge(row: Row): MapEdgeView {
  const [median, p90] = [Number(row['median']), Number(row['p90'])];
  return {
    source: String(row['source']),
    target: String(row['target']),
    count: Number(row['n']),
    ...{ median, p90, medianText: durationText(median), p90Text: durationText(p90) },
  };
}

/** Every event of an entity is its first one or a successor, which gives the event count of an activity. */
function toMap(edges: readonly MapEdgeView[], ends: readonly Row[]): ProcessMap {
  const nodes = new Map<string, { activity: string; events: number; starts: number; ends: number }>();
  const nodeOf = (activity: string) => {
    const known = nodes.get(activity) ?? { activity, events: 0, starts: 0, ends: 0 };
    nodes.set(activity, known);
    return known;
  };
  for (const row of ends) {
    const node = nodeOf(String(row['activity']));
    node.starts = Number(row['starts']);
    node.ends = Number(row['ends']);
    node.events += node.starts;
  }
  for (const { target, count } of edges) nodeOf(target).events += count;
  const sorted: MapNodeView[] = [...nodes.values()].sort(
    (one, other) => other.events - one.events || (one.activity < other.activity ? -1 : 1),
  );
  return { nodes: sorted, edges, entities: sorted.reduce((sum, { starts }) => sum + starts, 0) };
}
