import type { ElkEdgeSection, ElkNode } from 'elkjs/lib/elk-api.js';
import type { MapEdgeView, MapNodeView, PathMeasure } from '../../../protocol/event-graph.ts';
import { type MapWords, englishMapWords } from '../../../protocol/map-words.ts';
import { thousands } from '../../../protocol/thousands.ts';
import { orderActivities } from './order-activities.ts';
import type { ProcessMap } from './process-map.ts';
import { shownOnPath } from './time-scale.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** A map with positions. */
export interface PlacedMap {
  /** Lines are splines: a start and groups of three points. */
  readonly isCurved: boolean;
  readonly width: number;
  readonly height: number;
  readonly start: Box | undefined;
  readonly end: Box | undefined;
  readonly nodes: readonly { readonly node: MapNodeView; readonly box: Box }[];
  readonly edges: readonly PlacedEdge[];
}

export interface PlacedEdge {
  /** Absent for the lines from the start and to the end. */
  readonly edge?: MapEdgeView;
  readonly count: number;
  readonly points: readonly Point[];
  readonly label?: { readonly text: string; readonly box: Box };
}

/** Lays out a map with ELK, in any thread. */
export interface LayOut {
  /** Rejects with the signal's reason if the layout can be cancelled. */
  (graph: ElkNode, signal?: AbortSignal): Promise<ElkNode>;
  /** Warms up ELK during idle time. */
  prepare?(): Promise<void>;
}

/** Start and end nodes, which are symbols because activities may have any name. */
const start = { id: 'start' };
const end = { id: 'end' };

interface LineToPlace {
  readonly from: string | { readonly id: string };
  readonly to: string | { readonly id: string };
  readonly count: number;
  readonly edge?: MapEdgeView;
}

const nodeHeight = 44;
const terminal = { width: 56, height: 22 };
/** Average character width in 13 px type; bold is slightly wider. */
const characterWidth = 7.4;
const smallCharacterWidth = 6.8;

interface MapLabels {
  readonly pathMeasure?: PathMeasure | undefined;
  readonly words?: MapWords | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Top to bottom, from where the process starts to where it ends. */
export async function layoutMap(
  map: ProcessMap,
  layOut: LayOut,
  { pathMeasure = 'count', words = englishMapWords, signal }: MapLabels = {},
): Promise<PlacedMap> {
  const most = Math.max(1, ...map.nodes.map(({ count }) => count));
  const frequent = Math.max(1, ...map.edges.map(({ count }) => count));
  const starting = terminals(map, ({ starts }) => starts);
  const place = new Map(orderActivities(map.nodes, map.edges, starting).map((activity, index) => [activity, index]));
  const placeOf = (activity: string): number => place.get(activity) ?? 0;
  const nodes = [...map.nodes].sort((one, other) => placeOf(one.activity) - placeOf(other.activity));
  const ending = terminals(map, ({ ends }) => ends);
  const edges: readonly LineToPlace[] = [
    ...starting.map(({ activity, starts }) => ({ from: start, to: activity, count: starts })),
    ...map.edges.map((edge) => ({ from: edge.source, to: edge.target, count: edge.count, edge })),
    ...ending.map(({ activity, ends }) => ({ from: activity, to: end, count: ends })),
  ];
  const isBack = edges.map(({ edge }) => edge !== undefined && placeOf(edge.source) > placeOf(edge.target));
  const idOf = (end: LineToPlace['from']): string => (typeof end === 'string' ? `a:${end}` : end.id);
  const graph: ElkNode = {
    id: 'map',
    layoutOptions: options(map.edges.length),
    children: [
      ...(starting.length > 0 ? [{ id: start.id, ...terminal, layoutOptions: firstLayer }] : []),
      ...nodes.map(({ activity, count }) => ({
        id: `a:${activity}`,
        height: nodeHeight,
        width: Math.max(112, Math.ceil(activity.length * characterWidth) + 24) + Math.round(40 * (count / most)),
      })),
      ...(ending.length > 0 ? [{ id: end.id, ...terminal, layoutOptions: lastLayer }] : []),
    ],
    // Paths back are laid out as paths forward, so that ELK has no choice of direction.
    edges: edges.map(({ from, to, count, edge }, index) => ({
      id: `e${index}`,
      sources: [idOf(isBack[index] ? to : from)],
      targets: [idOf(isBack[index] ? from : to)],
      layoutOptions: priority(count / frequent),
      ...(edge ? { labels: [labelOf(edge, pathMeasure, words)] } : {}),
    })),
  };
  const placed = await layOut(graph, signal);
  const boxes = new Map(
    (placed.children ?? []).map(({ id, x = 0, y = 0, width = 0, height = 0 }) => [id, { x, y, width, height }]),
  );
  return {
    isCurved: map.edges.length <= manyPaths,
    width: Math.ceil(placed.width ?? 0),
    height: Math.ceil(placed.height ?? 0),
    start: boxes.get(start.id),
    end: boxes.get(end.id),
    nodes: map.nodes.flatMap((node) => {
      const box = boxes.get(`a:${node.activity}`);
      return box ? [{ node, box }] : [];
    }),
    edges: (placed.edges ?? []).map((line, index) => {
      const { count = 0, edge } = edges[index] ?? {};
      const [label] = line.labels ?? [];
      const points = pointsOf((line as { sections?: readonly ElkEdgeSection[] }).sections ?? []);
      return {
        count,
        points: isBack[index] ? [...points].reverse() : points,
        ...(edge ? { edge } : {}),
        ...(label?.text
          ? {
              label: {
                text: label.text,
                box: { x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0, height: label.height ?? 0 },
              },
            }
          : {}),
      };
    }),
  };
}

/** The activities that lines from the start, or to the end, are drawn for. */
function terminals(
  { nodes, minShown = 0 }: ProcessMap,
  countOf: (node: MapNodeView) => number,
): readonly MapNodeView[] {
  const most = Math.max(...nodes.map(countOf));
  return nodes.filter((node) => countOf(node) > 0 && countOf(node) >= Math.min(most, minShown));
}

const firstLayer = { 'elk.layered.layering.layerConstraint': 'FIRST' };
const lastLayer = { 'elk.layered.layering.layerConstraint': 'LAST' };

/** Frequent paths are short and straight. @param share of the most frequent path */
function priority(share: number): Readonly<Record<string, string>> {
  const value = String(1 + Math.round(9 * Math.min(1, share)));
  return { 'elk.layered.priority.shortness': value, 'elk.layered.priority.straightness': value };
}

/** Above this number, speed and size have priority over straight lines. */
const manyPaths = 60;

const careful = {
  'elk.layered.considerModelOrder.strategy': 'PREFER_NODES',
  'elk.edgeRouting': 'SPLINES',
};

/** For 300 paths between 24 activities it needs 1/13 of the time and 1/25 of the area. */
const quick = {
  'elk.layered.nodePlacement.strategy': 'SIMPLE',
  'elk.edgeRouting': 'POLYLINE',
  'elk.layered.thoroughness': '1',
};

function options(paths: number): Readonly<Record<string, string>> {
  return {
    'elk.algorithm': 'layered',
    'elk.direction': 'DOWN',
    'elk.padding': '[top=16,left=16,bottom=16,right=16]',
    'elk.spacing.nodeNode': '36',
    'elk.spacing.edgeNode': '16',
    'elk.spacing.edgeEdge': '12',
    'elk.spacing.edgeLabel': '4',
    'elk.spacing.nodeSelfLoop': '16',
    'elk.layered.spacing.nodeNodeBetweenLayers': '24',
    'elk.layered.spacing.edgeNodeBetweenLayers': '10',
    ...(paths > manyPaths ? quick : careful),
  };
}

/** What the path shows comes first: its count with the median time, or a time with its count. */
function labelOf(
  edge: MapEdgeView,
  measure: PathMeasure,
  words: MapWords,
): { text: string; width: number; height: number } {
  const shown = shownOnPath(edge, measure, (count) => countText(count, words)).text;
  const beside = measure === 'count' ? edge.medianText : countText(edge.count, words);
  const text = edge.compared ? shown : `${shown} · ${beside}`;
  return { text, width: Math.ceil(text.length * smallCharacterWidth) + 8, height: 18 };
}

/** A whole number with the language's separator between thousands. */
export function countText(count: number, { separator }: Pick<MapWords, 'separator'>): string {
  return thousands(count).replaceAll(',', separator);
}

function pointsOf(sections: readonly ElkEdgeSection[]): readonly Point[] {
  return sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint]);
}
