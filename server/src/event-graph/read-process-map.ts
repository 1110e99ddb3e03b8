import type { MapEdgeView, MapNodeView, ServiceTimeView } from '../../../protocol/event-graph.ts';
import { classError, shownQuantiles } from '../graph-schema/duration-classes.ts';
import { graphTables } from '../graph-schema/graph-schema.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import {
  countEnds,
  countEvents,
  countNodes,
  countPaths,
  countPathsByClass,
  countStepRows,
  countSteps,
} from './count-map.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { entityCondition, eventCondition } from '../analysis/filter-entities.ts';
import { type MapQuery, type MapView, type Row, whereSql, typeCondition } from './map-query.ts';
import type { ProcessMap } from './process-map.ts';
import { type RunNotes, readRunNotes } from './read-run-notes.ts';
import { readTypeOrder } from './read-type-order.ts';
import { eventPlaceSql, placeSql } from '../analysis/event-place.ts';

interface MapLimits {
  /** Uses the counts of the import if available. */
  readonly usesStored: boolean;
  /** Quantiles of more steps than these are estimated, unless the import has counted them. */
  readonly exactSteps: number;
}

const usualLimits: MapLimits = { usesStored: true, exactSteps: 10_000_000 };

/**
 * Counts how often one activity follows another within an entity, with the median and the 90th percentile of the time between, and with which
 * activity entities begin and end (docs/semantics.md#134-process-map).
 */
export async function readProcessMap(
  store: StoreReader,
  view: MapView,
  options: StatementOptions,
  { usesStored, exactSteps }: MapLimits = usualLimits,
): Promise<ProcessMap> {
  const query: MapQuery = { store, view, options };
  const map = usesStored && (await hasStoredMap(query)) ? await storedMap(query) : await countedMap(query, exactSteps);
  const notes = await readRunNotes(store, options);
  const typeOrder = await readTypeOrder(store, options);
  const services = await readServiceTimes(query);
  const nodes = map.nodes.map((node) => {
    const service = services.get(node.activity);
    return service ? { ...node, service } : node;
  });
  return { ...map, nodes, typeOrder, ...notes };
}

type CountedMap = Omit<ProcessMap, 'typeOrder' | keyof RunNotes>;

/** The tables of the map, which are derived from others. */
const mapTables = Object.entries(graphTables).flatMap(([name, { isInSource }]) => (isInSource ? [] : [name]));

/** Graphs of tests have no stored map. It supports filters on entity types only. */
async function hasStoredMap({ store, view, options }: MapQuery): Promise<boolean> {
  const { entityType: _counted, ...others } = view.filter;
  if (entityCondition(others, 'entity_id') !== undefined) return false;
  const tables = new Set<string>((await storedTables(store, options)).map(({ schema }) => schema));
  return mapTables.every((name) => tables.has(name));
}

async function storedMap(query: MapQuery): Promise<CountedMap> {
  const { filter, measure } = query.view;
  const [paths, ends] = [await storedPaths(query), await storedEnds(query)];
  if (filter.entityType !== undefined) {
    return toMap(query, { paths, ends, events: await storedEvents(query), quantileError: 0 });
  }
  const nodes = await countNodes(query);
  const events = measure === 'events' ? nodes : await countEvents(query);
  // The stored counts are rows of `directly_follows`; distinct events and objects are counted now.
  const isCounted = measure === 'pairs' || (measure === 'events' && (await eventsAreAlone(query)));
  const counts = isCounted ? paths : await countSteps(query);
  return toMap(query, { paths: withCounts(paths, counts), ends, events, nodes, quantileError: 0 });
}

/** Whether every event belongs to its own entity only, or to none: then all pairs of events in `directly_follows` are distinct. */
async function eventsAreAlone({ store, options }: MapQuery): Promise<boolean> {
  const sql = 'SELECT (SELECT count(entity_id) FROM event) = (SELECT count(*) FROM event_entity) AS alone';
  const [graph] = await store.query(sql, options);
  return graph?.['alone'] === true;
}

async function countedMap(query: MapQuery, exactSteps: number): Promise<CountedMap> {
  const { filter, measure } = query.view;
  const isExact = (await countStepRows(query, exactSteps)) <= exactSteps;
  const times = isExact ? await countPaths(query) : await countPathsByClass(query);
  // Exact quantiles read every pair, so that these are counted with them.
  const isCounted = isExact && (filter.entityType !== undefined || measure === 'pairs');
  const paths = isCounted ? times : withCounts(times, await countSteps(query));
  const [ends, events] = [await countEnds(query), await countEvents(query)];
  const quantileError = isExact ? 0 : classError;
  if (filter.entityType !== undefined) return toMap(query, { paths, ends, events, quantileError });
  const nodes = measure === 'events' ? events : await countNodes(query);
  return toMap(query, { paths, ends, events, nodes, quantileError });
}

function withCounts(paths: readonly Row[], counts: readonly Row[]): readonly Row[] {
  const keyOf = (row: Row): string => JSON.stringify([row['entity_type'] ?? null, row['source'], row['target']]);
  const known = new Map(counts.map((row) => [keyOf(row), row['n']]));
  return paths.map((row) => ({ ...row, n: known.get(keyOf(row)) ?? 0 }));
}

interface MapRows {
  readonly paths: readonly Row[];
  readonly ends: readonly Row[];
  /** Distinct events of each activity. */
  readonly events: readonly Row[];
  /** Counts of activities by measures other than events. */
  readonly nodes?: readonly Row[];
  readonly quantileError: number;
}

function toMap({ view }: MapQuery, { paths, ends, events, nodes = events, quantileError }: MapRows): CountedMap {
  const [endOf, countOf] = [byActivity(ends), byActivity(nodes)];
  const sorted = events
    .map((row): MapNodeView => {
      const activity = String(row['activity']);
      const end = endOf.get(activity);
      return {
        activity,
        count: Number(countOf.get(activity)?.['n'] ?? 0),
        events: Number(row['n']),
        starts: Number(end?.['starts'] ?? 0),
        ends: Number(end?.['ends'] ?? 0),
      };
    })
    .sort((one, other) => other.count - one.count || byText(one.activity, other.activity));
  const edges = paths.map(toEdge).sort((one, other) => other.count - one.count || byPath(one, other));
  const { entityType } = view.filter;
  const entityTypes = [...new Set(edges.flatMap((edge) => edge.entityType ?? []))].sort(byText);
  return {
    nodes: sorted,
    edges,
    subject:
      entityType === undefined ? { kind: 'all', measure: view.measure, entityTypes } : { kind: 'type', entityType },
    entities: sorted.reduce((sum, { starts }) => sum + starts, 0),
    events: sorted.reduce((sum, node) => sum + node.events, 0),
    quantileError,
  };
}

function byActivity(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [String(row['activity']), row]));
}

function byPath(one: MapEdgeView, other: MapEdgeView): number {
  return (
    byText(one.source, other.source) ||
    byText(one.target, other.target) ||
    byText(one.entityType ?? '', other.entityType ?? '')
  );
}

function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function toEdge(row: Row): MapEdgeView {
  const [median, p90, total] = [Number(row['median']), Number(row['p90']), Number(row['total'])];
  const entityType = row['entity_type'];
  return {
    source: String(row['source']),
    target: String(row['target']),
    ...(typeof entityType === 'string' ? { entityType } : {}),
    count: Number(row['n']),
    median,
    p90,
    total,
    medianText: durationText(median),
    p90Text: durationText(p90),
    totalText: durationText(total),
  };
}

/**
 * The service times of each activity whose starts have ends, by the activity as the map names it
 * (docs/semantics.md#134-process-map). Empty for graphs without ends.
 */
async function readServiceTimes({ store, view, options }: MapQuery): Promise<ReadonlyMap<string, ServiceTimeView>> {
  const tables = await storedTables(store, options);
  if (!tables.some(({ schema }) => schema === 'service_time')) return new Map();
  const quantiles = Object.entries(shownQuantiles).map(
    ([name, quantile]) => `quantile_cont(service.milliseconds, ${quantile}) AS ${name}`,
  );
  const rows = await store.query(
    `SELECT ${eventPlaceSql('v', view)} AS activity, count(*) AS n, ${quantiles.join(', ')}
     FROM service_time AS service JOIN event AS v ON v.id = service.start_event_id ${whereSql(eventCondition(view.filter, 'v.id'))} GROUP BY 1`,
    options,
  );
  return new Map(
    rows.map((row) => {
      const [median, p90] = [Number(row['median']), Number(row['p90'])];
      const times = { count: Number(row['n']), median, p90 };
      return [String(row['activity']), { ...times, medianText: durationText(median), p90Text: durationText(p90) }];
    }),
  );
}

/** Paths counted by the import: `entity_type` on a map of all types, `source`, `target`, `n`, `median`, `p90` and `total`. */
async function storedPaths({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const place = (side: string): string => placeSql(`${side}_activity`, `${side}_lifecycle`, view);
  const isOfAll = view.filter.entityType === undefined;
  const columns = `${isOfAll ? 'entity_type, ' : ''}${place('source')} AS source, ${place('target')} AS target`;
  const keys = `${isOfAll ? 'entity_type, ' : ''}source, target`;
  const isApart = `source_lifecycle IS ${view.lifecycle ? 'NOT NULL' : 'NULL'}`;
  return store.query(
    `SELECT ${keys}, n, median, p90, total FROM (
       SELECT ${columns}, steps AS n, median, p90 FROM process_map_path ${whereSql(isApart, typeCondition(view))}
     ) AS timed JOIN (
       SELECT ${columns}, round(sum(milliseconds)) AS total
       FROM process_map ${whereSql('source_activity IS NOT NULL', typeCondition(view))} GROUP BY ALL
     ) AS added USING (${keys})`,
    options,
  );
}

/** Counts the entities that begin and end with each activity. Ends are the events without a follower. */
async function storedEnds({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const place = (side: string): string => placeSql(`${side}_activity`, `${side}_lifecycle`, view);
  const isFirst = 'source_activity IS NULL';
  return store.query(
    `SELECT activity, sum(starts) AS starts, sum(ends) AS ends FROM (
       SELECT ${place('target')} AS activity, CASE WHEN ${isFirst} THEN steps ELSE 0 END AS starts, steps AS ends FROM process_map ${whereSql(typeCondition(view))}
       UNION ALL
       SELECT ${place('source')}, 0, -steps FROM process_map ${whereSql(`NOT (${isFirst})`, typeCondition(view))}
     ) AS counted GROUP BY 1`,
    options,
  );
}

/** Distinct events of each activity that belong to entities of the type. */
async function storedEvents({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  return store.query(
    `SELECT ${placeSql('activity', 'lifecycle', view)} AS activity, sum(events) AS n FROM process_map_activity ${whereSql(typeCondition(view))} GROUP BY 1`,
    options,
  );
}
