import type {
  MapParams,
  MapPicture,
  MapPictureParams,
  ProcessMapView,
  TypeFilter,
} from '../../../protocol/event-graph.ts';
import type {
  EventGraphQuestion,
  QuestionAnswer,
  QuestionParams,
} from '../../../protocol/requests/event-graph-requests.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { englishMapWords } from '../../../protocol/map-words.ts';
import { type Drawing, drawMap } from './draw-map.ts';
import { type LayOut, type PlacedMap, layoutMap } from './layout-map.ts';
import { type MapStyle, editorTheme, plainTheme } from './map-theme.ts';
import { numberSql } from './number-sql.ts';
import { type ProcessMap, reduceMap } from './process-map.ts';
import { readEventDistribution, readPropertyDistribution } from './read-distributions.ts';
import { findEntities, readTimeline } from './read-entities.ts';
import { readGraphName, readOverview, readTables } from './read-overview.ts';
import { readProcessMap } from './read-process-map.ts';
import { readVariants } from '../analysis/read-variants.ts';
import { runSql } from './run-sql.ts';
import { answerMeasures, countSubjects } from '../analysis/answer-measures.ts';
import type { ReadTypeFilter } from '../analysis/filter-entities.ts';
import { readCases } from '../analysis/read-cases.ts';
import { readFilter, readTypeFilter } from '../analysis/read-filter.ts';
import { readHistogram } from '../analysis/read-histogram.ts';
import { storeSnippet } from './store-snippet.ts';
import { historyNumberSql } from './value-history.ts';
import { coloursOf } from './type-colours.ts';
import { judgeRules } from '../process-rules/judge-rules.ts';
import { graphJudged, readRule, rulesOf } from '../process-rules/read-rule.ts';
import { suggestRules } from '../process-rules/suggest-rules.ts';

/** An opened graph and its cached counts. */
export interface OpenGraph {
  readonly path: string;
  readonly store: StoreReader;
  /** A new connection to the store in a sandbox, for one run of SQL of users: nothing is kept for the next run. */
  confined(): Promise<StoreReader>;
  /** Complete maps by filter; sliders only select from them. */
  readonly maps: Map<string, Promise<ProcessMap>>;
}

type Answers = {
  readonly [Q in EventGraphQuestion]: (
    params: QuestionParams<Q>,
    graph: OpenGraph,
    options: StatementOptions,
    layOut: LayOut,
  ) => Promise<QuestionAnswer<Q>>;
};

/** A query on something missing. */
export class NotThere extends Error {
  override name = 'NotThere';
}

/** One handler per query of `protocol/event-graph.ts`. */
export const answers: Answers = {
  overview: (_params, { store, path }, options) => readOverview(store, path, options),
  map: (params, graph, options, layOut) => mapView(params, graph, options, layOut),
  mapPicture: (params, graph, options, layOut) => mapPicture(params, graph, options, layOut),
  async variants({ filter, lifecycle }, { store }, options) {
    return readVariants(store, { filter: await readFilter(store, filter, options), lifecycle }, options);
  },
  async measures({ filter, compare, limit, ...params }, { store }, options) {
    const read = (of: TypeFilter): Promise<ReadTypeFilter> => readTypeFilter(store, of, options);
    const question = { ...params, filter: await read(filter), compare: compare && (await read(compare)) };
    const answered = await answerMeasures(store, question, options);
    if (limit === undefined) return answered;
    return answered.map(({ groups, ...answer }) => ({
      ...answer,
      groups: groups.slice(0, limit),
      more: Math.max(0, groups.length - limit),
    }));
  },
  async countEntities({ filter }, { store }, options) {
    return countSubjects(store, await readTypeFilter(store, filter, options), options);
  },
  async histogram({ filter, ...params }, { store }, options) {
    return readHistogram(store, { ...params, filter: await readTypeFilter(store, filter, options) }, options);
  },
  async cases({ filter, ...params }, { store }, options) {
    return readCases(store, { ...params, filter: await readTypeFilter(store, filter, options) }, options);
  },
  findEntities: (params, { store }, options) => findEntities(store, params, options),
  async timeline({ entity }, { store }, options) {
    const timeline = await readTimeline(store, entity, options);
    if (timeline) return timeline;
    throw new NotThere('This entity is not in the graph any more.');
  },
  async events({ filter }, { store }, options) {
    return readEventDistribution(store, await readFilter(store, filter, options), options);
  },
  async property({ element, property, filter = {} }, { store }, options) {
    const asked = { element, property, filter: await readFilter(store, filter, options) };
    const distribution = await readPropertyDistribution(store, asked, options);
    if (distribution) return distribution;
    throw new NotThere(`The graph has no property ${property} there.`);
  },
  async rules({ text }, { store }, options) {
    return judgeRules(await rulesOf(store, text, options), store, { ...options, limit: 0 });
  },
  async rule(params, { store }, options) {
    const graph = await graphJudged(store, params.text, options);
    const rule = graph.rules[params.rule - 1];
    if (rule) return readRule(store, rule, graph, params.property, options);
    throw new NotThere('This rule is not in the file any more.');
  },
  async suggestRules({ text }, { store }, options) {
    return suggestRules(store, await rulesOf(store, text, options), options);
  },
  async numberSql({ number, filter, ...params }, { store }, options) {
    if (number.kind === 'history') return historyNumberSql(store, number, options);
    return numberSql({ ...params, number, filter: await readFilter(store, filter, options) });
  },
  async sql(params, graph, options) {
    const connection = await graph.confined();
    try {
      return await runSql(connection, params, options);
    } finally {
      await connection.close();
    }
  },
  tables: (_params, { store }, options) => readTables(store, options),
  snippet: ({ kind, file }, { path }) => Promise.resolve(storeSnippet(kind, path, file)),
};

const maxMaps = 8;

/** The complete map of a filter, counted once. */
export function wholeMap(
  { filter, lifecycle = false, measure = 'events' }: MapParams,
  { store, maps }: Pick<OpenGraph, 'store' | 'maps'>,
  options: StatementOptions,
): Promise<ProcessMap> {
  const key = JSON.stringify([filter, lifecycle, filter.entityType === undefined ? measure : null]);
  const known = maps.get(key);
  if (known) return known;
  const map = readFilter(store, filter, options).then(async (read) => {
    const counted = await readProcessMap(store, { filter: read, lifecycle, measure }, options);
    return { ...counted, filter };
  });
  maps.set(key, map);
  map.catch(() => maps.delete(key));
  const [oldest] = maps.keys();
  if (maps.size > maxMaps && oldest !== undefined) maps.delete(oldest);
  return map;
}

interface LaidOutMap {
  readonly whole: ProcessMap;
  readonly reduced: ProcessMap;
  readonly placed: PlacedMap;
  draw(style: Pick<MapStyle, 'look' | 'graphName'>): Drawing;
}

async function layOutMap(
  params: MapParams,
  graph: OpenGraph,
  options: StatementOptions,
  layOut: LayOut,
): Promise<LaidOutMap> {
  const counting = wholeMap(params, graph, options);
  // The query runs in threads of the database.
  const preparing = setTimeout(() => void layOut.prepare?.(), 50);
  const whole = await counting.finally(() => clearTimeout(preparing));
  const reduced = reduceMap(whole, params);
  const { words = englishMapWords, pathMeasure } = params;
  const placed = await layoutMap(reduced, layOut, { words, pathMeasure, signal: options.signal });
  return {
    whole,
    reduced,
    placed,
    draw: (style) => drawMap(placed, whole, { name: words.title, words, pathMeasure, filter: params.filter, ...style }),
  };
}

async function mapView(
  params: MapParams,
  graph: OpenGraph,
  options: StatementOptions,
  layOut: LayOut,
): Promise<ProcessMapView> {
  const { whole, reduced, placed, draw } = await layOutMap(params, graph, options, layOut);
  return {
    ...draw({ look: editorTheme }),
    nodes: placed.nodes.map(({ node }) => node),
    edges: placed.edges.flatMap(({ edge }) => edge ?? []),
    activities: { shown: reduced.nodes.length, all: whole.nodes.length },
    paths: { shown: reduced.edges.length, all: whole.edges.length },
    entities: whole.entities,
    events: whole.events,
    measure: whole.subject.kind === 'all' ? whole.subject.measure : undefined,
    colours: [...coloursOf(whole, editorTheme)].map(([entityType, colour]) => ({ entityType, colour })),
  };
}

async function mapPicture(
  { inPageColours = false, ...params }: MapPictureParams,
  graph: OpenGraph,
  options: StatementOptions,
  layOut: LayOut,
): Promise<MapPicture> {
  const { draw } = await layOutMap(params, graph, options, layOut);
  const graphName = await readGraphName(graph.store, graph.path, options);
  const { svg, width, height } = draw({ look: inPageColours ? editorTheme : plainTheme, graphName });
  return { svg, width, height };
}
