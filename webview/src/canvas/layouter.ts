import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { CanvasLayout } from '../../../protocol/canvas-intents.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { isSameData } from '../../../protocol/same-data.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { avoidOverlaps, cornersOf as cornersOfEdge } from './avoid-overlaps.ts';
import { bundled, unbundled } from './bundle-lines.ts';
import type { ElkRunner } from './elk-runner.ts';
import { type Box, type Point, type Size, boxAround } from './geometry.ts';
import { gridLayouts } from './grid-layout.ts';
import { keepNodePositions, renamedElements } from './keep-positions.ts';
import { layoutInRows, nodeId, toElkGraph } from './layout.ts';
import { type Arrangement, arrangementsFor, hasRightAngles, layoutOptions } from './layout-options.ts';
import { type Picture, toPicture } from './picture.ts';
import { fit } from './viewport.ts';

/** Lays out graphs one after another, and returns only the latest. */
export interface Layouter {
  /** Existing positions are kept; the first graph, and any with `again`, is laid out completely. */
  show(view: GraphView, screen: Size, options: ShowOptions): void;
  /** Moves elements, by id. During a drag, cards that give way return as soon as the dragged card has passed. */
  move(corners: ReadonlyMap<string, Point>, isDragging?: boolean): void;
  /** Centre position for the next new element, which lands exactly there. */
  expectAt(point: Point | undefined): void;
  /** Positions chosen by the user, to be stored. */
  readonly chosen: CanvasLayout;
  /** Replaces the stored positions. */
  choose(layout: CanvasLayout): void;
  /** Discards pending layouts. */
  forget(): void;
}

interface ShowOptions {
  readonly again: boolean;
  /** Ids of collapsed elements. */
  readonly collapsed: ReadonlySet<string>;
}

interface LayoutListener {
  /**
   * @param failure why ELK failed; the layout then uses rows.
   * @param anew whether everything may move; else only nodes moved by the user did.
   */
  onPicture(picture: Picture, failure: string | undefined, anew: boolean): void;
  /** The positions to store have changed. */
  onChosen(): void;
}

interface Placed {
  readonly view: GraphView;
  readonly collapsed: ReadonlySet<string>;
  /** The input of ELK: equal inputs have the same layout. */
  readonly graph: ElkNode;
  readonly nodes: ElkNode;
  readonly failure: string | undefined;
}

type Arranged = Pick<Placed, 'nodes' | 'failure'>;

export function createLayouter(runner: ElkRunner, text: TextMetrics, listener: LayoutListener): Layouter {
  let newest = 0;
  let last: Placed | undefined;
  /** The layout at the start of a drag. */
  let beforeDrag: Placed | undefined;
  let picture: Picture | undefined;
  let aspectRatio: number | undefined;
  let chosen = new Map<string, Point>();
  /** Earlier layouts, the newest first: undoing an edit brings back the lines before it. */
  let earlier: readonly Placed[] = [];
  let expected: Point | undefined;

  function become(placed: Placed, anew = false): void {
    const before = picture && { picture, placed: last?.nodes };
    last = placed;
    picture = toPicture(placed.view, placed.nodes, text, { collapsed: placed.collapsed, before });
    listener.onPicture(picture, placed.failure, anew);
  }

  async function show(view: GraphView, screen: Size, { again, collapsed }: ShowOptions): Promise<void> {
    newest += 1;
    const ticket = newest;
    // The aspect ratio of the last complete layout is kept: resizing the window moves nothing.
    if (again || aspectRatio === undefined) aspectRatio = aspectRatioOf(screen) ?? aspectRatio;
    const ratio = aspectRatio ?? defaultAspectRatio;
    const graph = toElkGraph(view, text, ratio, collapsed);
    const before = last;
    if (before && !again && before.failure === undefined) {
      if (isSameData(before.graph, graph)) return become({ ...before, view, collapsed });
      if (renameCorners(chosen, before.view, view)) listener.onChosen();
      const known = earlier.find((placed) => isSameData(placed.graph, graph) && isInPlace(placed.nodes, before.nodes));
      earlier = [before, ...earlier].slice(0, mostEarlier);
      const nodes = known?.nodes ?? keepNodePositions(graph, underNewIds(before, view), cornersOf(graph, before));
      return become({ view, collapsed, graph, nodes, failure: undefined });
    }
    const isOvertaken = (): boolean => ticket !== newest;
    const arranged = await layOut(runner, graph, { ratio, screen }, isOvertaken);
    if (isOvertaken() || !arranged) return;
    const { nodes, failure } = arranged;
    const wanted = before ? nodeCorners(chosen) : cornersOf(graph, undefined);
    const moved = wanted.size > 0 && failure === undefined ? keepNodePositions(graph, nodes, wanted) : nodes;
    become({ view, collapsed, graph, nodes: moved, failure }, true);
  }

  /** Positions chosen by the user, including that of a dropped new element. */
  function cornersOf({ children = [] }: ElkNode, before: Placed | undefined): ReadonlyMap<string, Point> {
    const known = new Set((before?.nodes.children ?? []).map(({ id }) => id));
    const fresh = expected && children.find(({ id }) => id.startsWith('element:') && !known.has(id));
    if (fresh && expected) {
      const corner = { x: expected.x - (fresh.width ?? 0) / 2, y: expected.y - (fresh.height ?? 0) / 2 };
      chosen.set(fresh.id.slice('element:'.length), corner);
      expected = undefined;
      listener.onChosen();
    }
    return nodeCorners(chosen);
  }

  return {
    show: (view, screen, options) => void show(view, screen, options),
    move(corners, isDragging = false) {
      if (!last) return;
      // The text may have changed during the drag.
      const start = beforeDrag && isSameData(beforeDrag.graph, last.graph) ? beforeDrag : last;
      beforeDrag = isDragging ? start : undefined;
      for (const [id, corner] of corners) chosen.set(id, corner);
      become({ ...last, nodes: keepNodePositions(start.nodes, start.nodes, nodeCorners(chosen)) });
    },
    expectAt: (point) => {
      expected = point;
    },
    get chosen() {
      return { elements: Object.fromEntries(chosen) };
    },
    choose: ({ elements }) => {
      chosen = new Map(Object.entries(elements));
    },
    forget: () => {
      newest += 1;
      last = undefined;
    },
  };
}

const mostEarlier = 4;

/** Whether all nodes of an earlier layout that are still there have not been moved since. */
function isInPlace(earlier: ElkNode, now: ElkNode): boolean {
  const nodes = new Map((now.children ?? []).map((node) => [node.id, node]));
  return (earlier.children ?? []).every(({ id, x, y }) => {
    const node = nodes.get(id);
    return !node || (node.x === x && node.y === y);
  });
}

/**
 * Of the arrangements worth trying, the layout that can be shown largest; undefined for an overtaken graph, whose next
 * request would take the turn of the newer one.
 */
async function layOut(
  runner: ElkRunner,
  graph: ElkNode,
  { ratio, screen }: { readonly ratio: number; readonly screen: Size },
  isOvertaken: () => boolean,
): Promise<Arranged | undefined> {
  const count = graph.children?.length ?? 0;
  let best: Candidate | undefined;
  let plainZoom = 0;
  let failure: unknown;
  for (const arrangement of arrangementsFor(count, ratio)) {
    try {
      const found = await runner.layout({ ...bundled(graph), layoutOptions: layoutOptions(count, ratio, arrangement) });
      if (!found || isOvertaken()) return undefined;
      const layout = unbundled(found, graph);
      const zoom = zoomOf(layout, screen);
      if (arrangement.wrapping === undefined) plainZoom = Math.max(plainZoom, zoom);
      best = better(best, { layout, worth: zoom * preference(arrangement, screen) });
    } catch (error) {
      failure = error;
      break;
    }
    if (best.worth >= 1) break;
  }
  if (!best)
    return { nodes: layoutInRows(graph), failure: failure instanceof Error ? failure.message : String(failure) };
  best = { ...best, layout: avoidOverlaps(hasRightAngles(count) ? withoutSlants(best.layout) : best.layout) };
  if (plainZoom < comfortableZoom && screen.width > 0) {
    for (const layout of gridLayouts(graph, screen)) {
      const zoom = zoomOf(layout, screen);
      // One that is no more comfortable has no roots at its beginning to scroll from.
      if (zoom >= comfortableZoom) best = better(best, { layout, worth: zoom * worthOfGrid });
      if (best.worth >= comfortableZoom) break;
    }
  }
  return { nodes: best.layout, failure: undefined };
}

interface Candidate {
  readonly layout: ElkNode;
  readonly worth: number;
}

function better(one: Candidate | undefined, other: Candidate): Candidate {
  return one && one.worth >= other.worth ? one : other;
}

/** Plain columns or rows that can be shown this large are followed more easily than a grid. */
const comfortableZoom = 0.8;

/**
 * Takes the routes from lines that are not of right angles, so that they are routed anew: where ELK puts a chain of
 * columns into a further row, it leaves bends of other lines in some.
 */
function withoutSlants(layout: ElkNode): ElkNode {
  const isSlanted = (edge: ElkExtendedEdge): boolean => {
    const corners = cornersOfEdge(edge);
    return corners.some(({ x, y }, index) => {
      const next = corners[index + 1];
      return next !== undefined && Math.abs(next.x - x) > 0.5 && Math.abs(next.y - y) > 0.5;
    });
  };
  return {
    ...layout,
    edges: (layout.edges ?? []).map((edge) => {
      if (!isSlanted(edge)) return edge;
      const { sections: _, ...unrouted } = edge;
      return unrouted;
    }),
  };
}

/** Renamed elements keep their positions. Returns whether there are any. */
function renameCorners(chosen: Map<string, Point>, before: GraphView, view: GraphView): boolean {
  let changed = false;
  for (const [id, old] of renamedElements(before.elements, view.elements)) {
    const corner = chosen.get(old);
    if (!corner) continue;
    chosen.delete(old);
    chosen.set(id, corner);
    changed = true;
  }
  return changed;
}

function nodeCorners(corners: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> {
  return new Map([...corners].map(([id, corner]) => [nodeId.element(id), corner]));
}

/** The previous layout with the element ids of a newer view. */
function underNewIds({ nodes, view: before }: Placed, view: GraphView | undefined): ElkNode {
  const renamed = view ? renamedElements(before.elements, view.elements) : new Map<string, string>();
  if (renamed.size === 0) return nodes;
  const names = new Map([...renamed].map(([id, old]) => [nodeId.element(old), nodeId.element(id)]));
  const named = (id: string): string => names.get(id) ?? id;
  return {
    ...nodes,
    children: (nodes.children ?? []).map((node) => ({ ...node, id: named(node.id) })),
    edges: (nodes.edges ?? []).map((edge) => ({
      ...edge,
      sources: edge.sources.map(named),
      targets: edge.targets.map(named),
    })),
  };
}

/** How large a layout can be shown on a screen, at most 1. */
function zoomOf(layout: ElkNode, screen: Size): number {
  const { width, height } = layoutSize(layout);
  return fit({ x: 0, y: 0, width, height }, screen).zoom;
}

/** How much of its zoom a grid is worth, and an arrangement: lines down a wide screen and further rows are harder to follow. */
const worthOfGrid = 0.96;

function preference({ direction, wrapping }: Arrangement, screen: Size): number {
  const isAcross = direction === 'DOWN' && screen.width > screen.height;
  return (isAcross ? 0.93 : 1) * (wrapping === undefined ? 1 : 0.92);
}

/** With lines and labels, which may be outside of all cards. */
function layoutSize({ children = [], edges = [] }: ElkNode): Size {
  const boxes = [...children, ...edges.flatMap(({ labels = [] }) => labels)].map(
    ({ x = 0, y = 0, width = 0, height = 0 }): Box => ({ x, y, width, height }),
  );
  const corners = edges.flatMap((edge) =>
    cornersOfEdge(edge).map((corner): Box => ({ ...corner, width: 0, height: 0 })),
  );
  return boxAround([...boxes, ...corners]) ?? { width: 0, height: 0 };
}

/** Width by height before the page has a size. */
const defaultAspectRatio = 1.6;

function aspectRatioOf({ width, height }: Size): number | undefined {
  return width === 0 || height === 0 ? undefined : Math.max(0.5, Math.min(4, width / height));
}
