import type {
  ComparedEntities,
  GraphFilter,
  MapParams,
  MapPicture,
  MapPictureParams,
  ProcessMapView,
  TypeFilter,
} from '../../../protocol/event-graph.ts';
import type { Finding } from '../../../protocol/findings.ts';
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
import { withLastValues } from '../analysis/with-last-values.ts';
import { type ProcessMap, reduceMap } from './process-map.ts';
import { readEventDistribution, readPropertyDistribution } from './read-distributions.ts';
import { findEntities, readTimeline } from './read-entities.ts';
import { readGraphName, readOverview, readTables } from './read-overview.ts';
import { readComparedMap } from './read-compared-map.ts';
import { readProcessMap } from './read-process-map.ts';
import { readVariants } from '../analysis/read-variants.ts';
import { runSql } from './run-sql.ts';
import { answerMeasures, countSubjects } from '../analysis/answer-measures.ts';
import type { ReadTypeFilter } from '../analysis/filter-entities.ts';
import { findCauses } from '../analysis/causes/find-causes.ts';
import { compareFilters, othersThan } from '../analysis/compare-filters.ts';
import { readDottedChart } from '../analysis/read-dotted-chart.ts';
import { readFlow } from '../analysis/read-flow.ts';
import { readSteps } from '../analysis/read-steps.ts';
import { readPropertyValues, readTypedProperties } from '../analysis/read-property-values.ts';
import { readCases } from '../analysis/read-cases.ts';
import { readFilter } from '../analysis/read-filter.ts';
import type { Selections } from '../analysis/selections.ts';
import { acceptStored } from '../findings/accept-stored.ts';
import { judgedAmong } from '../analysis/judged-among.ts';
import { readHistogram } from '../analysis/read-histogram.ts';
import { storeSnippet } from './store-snippet.ts';
import { historyNumberSql } from './value-history.ts';
import { coloursOf } from './type-colours.ts';
import { judgeRules } from '../process-rules/judge-rules.ts';
import { judgedStore } from '../process-rules/judged-store.ts';
import { measureGraphBy } from '../process-rules/measure-graph.ts';
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
  readonly selections: Selections;
  /** The last question that fills a temporary table. */
  readonly filling: { last?: Promise<unknown> };
  /** What is odd in its data: the file may accept more of it at any time. */
  readonly findings: (options: StatementOptions) => Promise<readonly Finding[]>;
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

/** One handler per question of `protocol/requests/event-graph-requests.ts`. */
export const answers: Answers = {
  overview: (_params, { store, path }, options) => readOverview(store, path, options),
  map: (params, graph, options, layOut) => mapView(params, graph, options, layOut),
  mapPicture: (params, graph, options, layOut) => mapPicture(params, graph, options, layOut),
  async variants({ filter, lifecycle }, { store, selections }, options) {
    return readVariants(store, { filter: await selections.select(filter, options), lifecycle }, options);
  },
  async measures({ filter, compare, limit, ...params }, { store, selections }, options) {
    const read = (of: TypeFilter): Promise<ReadTypeFilter> => selections.selectOfType(of, options);
    const isByVariant = params.by?.includes('variant');
    const question = {
      ...params,
      filter: await read(filter),
      compare: compare && (await read(compare)),
      variants: isByVariant ? await selections.variants(filter.entityType, options) : undefined,
    };
    const answered = await answerMeasures(store, question, options);
    if (limit === undefined) return answered;
    return answered.map(({ groups, ...answer }) => ({
      ...answer,
      // Those with most values: groups without any tell nothing of a measure.
      groups: groups.toSorted((one, other) => other.count - one.count).slice(0, limit),
      more: Math.max(0, groups.length - limit),
    }));
  },
  async countEntities({ filter }, { store, selections }, options) {
    return countSubjects(store, await selections.selectOfType(filter, options), options);
  },
  async histogram({ filter, ...params }, { store, selections }, options) {
    return readHistogram(store, { ...params, filter: await selections.selectOfType(filter, options) }, options);
  },
  async writtenMeasures({ text }, { store }, options) {
    const { measures } = await graphJudged(store, text, options);
    return measureGraphBy(measures, judgedStore(store), options);
  },
  async cases({ filter, ...params }, { store, selections }, options) {
    return readCases(store, { ...params, filter: await selections.selectOfType(filter, options) }, options);
  },
  async propertyValues({ filter, ...params }, { store, selections }, options) {
    return readPropertyValues(store, { ...params, filter: await selections.selectOfType(filter, options) }, options);
  },
  async properties({ entityType }, { store }, options) {
    return readTypedProperties(store, entityType, options);
  },
  async why({ filter, outcome }, graph, options) {
    const { store, selections } = graph;
    const question = {
      filter: await selections.selectOfType(filter, options),
      outcome: await selections.selectOfType(outcome, options),
      conditions: [outcome],
    };
    return inTurn(graph, () => findCauses(store, question, options));
  },
  async comparison({ filter, compare }, { store, selections }, options) {
    const read = await selections.selectOfType(filter, options);
    const other = await readCompared(selections, read, compare, options);
    const variants = await selections.variants(filter.entityType, options);
    return compareFilters(store, { filter: read, other, variants }, options);
  },
  async flow({ filter }, { store, selections }, options) {
    return readFlow(store, { filter: await selections.selectOfType(filter, options) }, options);
  },
  async dots({ filter, ...params }, { store, selections }, options) {
    return readDottedChart(store, { ...params, filter: await selections.selectOfType(filter, options) }, options);
  },
  async handover({ filter, property }, { store, selections }, options) {
    const read = await selections.selectOfType(filter, options);
    return readSteps(store, { filter: read, by: property, sort: 'count', limit: mostHandovers }, options);
  },
  async findEntities({ filter = {}, ...params }, { store, selections }, options) {
    return findEntities(store, { ...params, filter: await selections.select(filter, options) }, options);
  },
  async timeline({ entity }, { store }, options) {
    const timeline = await readTimeline(store, entity, options);
    if (timeline) return timeline;
    throw new NotThere('This entity is not in the graph any more.');
  },
  async events({ filter }, { store, selections }, options) {
    return readEventDistribution(store, await selections.select(filter, options), options);
  },
  async property({ element, property, filter = {} }, { store, selections }, options) {
    const asked = { element, property, filter: await selections.select(filter, options) };
    const distribution = await readPropertyDistribution(store, asked, options);
    if (distribution) return distribution;
    throw new NotThere(`The graph has no property ${property} there.`);
  },
  async rules({ text, filter = {} }, graph, options) {
    const { store } = graph;
    const rules = await rulesOf(store, text, options);
    const among = await amongOf(filter, graph, options);
    const results = await judgeRules(rules, store, { ...options, limit: 0, among });
    return results.map((result, index) => {
      const rule = rules[index];
      return { ...result, isFiltered: rule !== undefined && among(rule) !== undefined };
    });
  },
  async rule({ text, filter = {}, property, rule: number }, graph, options) {
    const { store } = graph;
    const judged = await graphJudged(store, text, options);
    const rule = judged.rules[number - 1];
    const among = await amongOf(filter, graph, options);
    if (rule) return inTurn(graph, () => readRule(store, rule, judged, { property, among: among(rule) }, options));
    throw new NotThere('This rule is not in the file any more.');
  },
  async suggestRules({ text }, { store }, options) {
    return suggestRules(store, await rulesOf(store, text, options), options);
  },
  async findings({ text }, graph, options) {
    const findings = await inTurn(graph, () => graph.findings(options));
    return { ...(await acceptStored(findings, text ?? '', { store: graph.store, options })), notes: [] };
  },
  async numberSql({ number, filter, withProperties = false, ...params }, { store }, options) {
    if (number.kind === 'history') return historyNumberSql(store, number, options);
    const sql = numberSql({ ...params, number, filter: await readFilter(store, filter, options) });
    return withProperties ? { ...sql, entities: await withLastValues(store, sql.entities, options) } : sql;
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

/** What rules judge under a filter. */
async function amongOf(
  filter: GraphFilter,
  { store, selections }: OpenGraph,
  options: StatementOptions,
): Promise<ReturnType<typeof judgedAmong>> {
  return judgedAmong(await selections.select(filter, options), await readFilter(store, filter, options));
}

/** The entities that those of a filter are compared with. */
async function readCompared(
  selections: Selections,
  filter: ReadTypeFilter,
  compare: ComparedEntities,
  options: StatementOptions,
): Promise<ReadTypeFilter> {
  return compare.kind === 'others' ? othersThan(filter) : selections.selectOfType(compare.filter, options);
}

/** Questions that fill a temporary table of the connection wait for each other. */
async function inTurn<T>(graph: Pick<OpenGraph, 'filling'>, ask: () => Promise<T>): Promise<T> {
  const before = graph.filling.last;
  const answer = (async () => {
    await before?.catch(() => undefined);
    return ask();
  })();
  graph.filling.last = answer;
  return answer;
}

/** Pairs of values that can be read. */
const mostHandovers = 200;

const maxMaps = 8;

/** The complete map of a filter, counted once. */
export function wholeMap(
  { filter, lifecycle = false, measure = 'events', compare }: MapParams,
  { store, maps, selections }: Pick<OpenGraph, 'store' | 'maps' | 'selections'>,
  options: StatementOptions,
): Promise<ProcessMap> {
  const key = JSON.stringify([filter, lifecycle, filter.entityType === undefined ? measure : null, compare]);
  const known = maps.get(key);
  if (known) return known;
  const map = selections.select(filter, options).then(async (read) => {
    const view = { filter: read, lifecycle, measure };
    const { entityType } = filter;
    if (!compare || entityType === undefined) return readProcessMap(store, view, options);
    const one = { ...read, entityType };
    const other = await readCompared(selections, one, compare, options);
    return readComparedMap(store, { ...view, filter: one }, other, options);
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
  const { words = englishMapWords, pathMeasure, compare } = params;
  const placed = await layoutMap(reduced, layOut, { words, pathMeasure, signal: options.signal });
  return {
    whole,
    reduced,
    placed,
    draw: (style) =>
      drawMap(placed, whole, { name: words.title, words, pathMeasure, filter: params.filter, compare, ...style }),
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
