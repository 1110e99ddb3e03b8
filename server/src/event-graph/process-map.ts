import type { MapEdgeView, MapMeasure, MapNodeView, PathMeasure } from '../../../protocol/event-graph.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { KeptRowsView } from '../../../protocol/kept-rows.ts';

/** All activities and paths, the most frequent first. */
export interface ProcessMap {
  readonly nodes: readonly MapNodeView[];
  readonly edges: readonly MapEdgeView[];
  readonly subject: MapSubject;
  /** All entity types of the graph in the order of their first appearance, which gives them their colours. */
  readonly typeOrder: readonly string[];
  /** Data sources whose rows were replaced by kept rows. */
  readonly keptRows?: readonly KeptRowsView[];
  /** What the import was limited to; absent for the whole graph. */
  readonly slice?: ImportSlice;
  /** Start of the import: ISO 8601, UTC. */
  readonly imported?: string;
  /** Distinct entities and distinct events on the map. */
  readonly entities: number;
  readonly events: number;
  /** On a reduced map: lines from the start and to the end that fewer entities take are left out, except the most frequent one of each. */
  readonly minShown?: number;
  /** The relative error of quantiles; 0 if they are exact. */
  readonly quantileError: number;
}

/** The steps that a map shows: those of entities of one type, or of all types, with an edge for each type. */
type MapSubject =
  | { readonly kind: 'type'; readonly entityType: string }
  | { readonly kind: 'all'; readonly measure: MapMeasure; readonly entityTypes: readonly string[] };

/** Default limits for a readable map. */
const readableActivities = 60;
const readablePaths = 30;

interface MapShare {
  readonly pathMeasure?: PathMeasure | undefined;
  readonly activities?: number | undefined;
  readonly paths?: number | undefined;
}

/**
 * Keeps the most frequent activities and paths; of a map that shows total times the paths that take most of it. Every displayed activity keeps its most frequent incoming and outgoing
 * path, so that none is isolated.
 */
export function reduceMap(map: ProcessMap, { activities, paths, pathMeasure }: MapShare): ProcessMap {
  const wanted = activities ?? readableActivities / Math.max(1, map.nodes.length);
  const nodes = map.nodes.slice(0, amount(wanted, map.nodes.length));
  const shown = new Set(nodes.map(({ activity }) => activity));
  const edges = pathMeasure === 'total' ? [...map.edges].sort((one, other) => other.total - one.total) : map.edges;
  const between = edges.filter(({ source, target }) => shown.has(source) && shown.has(target));
  const share = paths ?? Math.min(1, readablePaths / Math.max(1, between.length));
  const kept = new Set(between.slice(0, amount(share, between.length)));
  const isReduced = kept.size < between.length;
  const minShown = isReduced ? Math.min(...[...kept].map(({ count }) => count)) : 0;
  for (const { activity } of nodes) {
    const into = between.find(({ source, target }) => target === activity && source !== activity);
    const outOf = between.find(({ source, target }) => source === activity && target !== activity);
    if (into) kept.add(into);
    if (outOf) kept.add(outOf);
  }
  return { ...map, nodes, edges: between.filter((edge) => kept.has(edge)), minShown };
}

function amount(share: number, all: number): number {
  return Math.max(1, Math.ceil(Math.min(1, Math.max(0, share)) * all));
}
