import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { CanvasLayout } from '../../../protocol/canvas-intents.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { createElkRunner } from './elk-runner.ts';
import type { Point, Size } from './geometry.ts';
import { keepPlaces } from './keep-places.ts';
import { nodeId, toElkGraph } from './layout.ts';
import { type Picture, toPicture } from './picture.ts';
import { renamedElements } from './renamed-elements.ts';
import { layoutInRows } from './row-layout.ts';

/** Lays out graphs one after another, and returns only the latest. */
export interface Layouter {
  /** Existing positions are kept; the first graph, and any with `again`, is laid out completely. */
  show(view: GraphView, screen: Size, options: ShowOptions): void;
  /** Moves elements, by id. */
  move(corners: ReadonlyMap<string, Point>): void;
  /** Centre position for the next new element. */
  expectAt(point: Point | undefined): void;
  /** Positions chosen by the user, to be stored. */
  readonly chosen: CanvasLayout;
  /** Replaces the stored positions. */
  choose(layout: CanvasLayout): void;
  /** Discards pending layouts. */
  forget(): void;
}

export interface ShowOptions {
  readonly again: boolean;
  /** Ids of collapsed elements. */
  readonly collapsed: ReadonlySet<string>;
}

export interface LayoutListener {
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
  readonly signature: string;
  readonly nodes: ElkNode;
  readonly failure: string | undefined;
}

export function createLayouter(workerUri: string | undefined, text: TextMetrics, listener: LayoutListener): Layouter {
  const runner = createElkRunner(workerUri);
  let newest = 0;
  let last: Placed | undefined;
  let picture: Picture | undefined;
  let aspectRatio: number | undefined;
  let chosen = new Map<string, Point>();
  let expected: Point | undefined;

  async function layOut(graph: ElkNode): Promise<{ nodes?: ElkNode | undefined; failure?: string }> {
    try {
      return { nodes: await runner.layout(graph) };
    } catch (error) {
      return { nodes: layoutInRows(graph), failure: error instanceof Error ? error.message : String(error) };
    }
  }

  function become(placed: Placed, anew = false): void {
    last = placed;
    picture = toPicture(placed.view, placed.nodes, text, { collapsed: placed.collapsed, before: picture });
    listener.onPicture(picture, placed.failure, anew);
  }

  async function show(view: GraphView, screen: Size, { again, collapsed }: ShowOptions): Promise<void> {
    newest += 1;
    const ticket = newest;
    // The aspect ratio of the first layout is kept: resizing the window moves nothing.
    aspectRatio ??= aspectRatioOf(screen);
    const graph = toElkGraph(view, text, aspectRatio ?? 1.6, collapsed);
    const signature = JSON.stringify(graph);
    const before = last;
    if (before && !again && before.failure === undefined) {
      if (before.signature === signature) return become({ ...before, view, collapsed });
      follow(before.view, view);
      const nodes = keepPlaces(graph, underNewIds(before, view), cornersOf(graph, before));
      return become({ view, collapsed, signature, nodes, failure: undefined });
    }
    const { nodes, failure } = await layOut(graph);
    if (ticket !== newest || !nodes) return;
    const moved = chosen.size > 0 && failure === undefined ? keepPlaces(graph, nodes, nodeCorners(chosen)) : nodes;
    become({ view, collapsed, signature, nodes: moved, failure }, true);
  }

  /** Renamed elements keep their positions. */
  function follow(before: GraphView, view: GraphView): void {
    const renamed = renamedElements(before.elements, view.elements);
    let changed = false;
    for (const [id, old] of renamed) {
      const corner = chosen.get(old);
      if (!corner) continue;
      chosen.delete(old);
      chosen.set(id, corner);
      changed = true;
    }
    if (changed) listener.onChosen();
  }

  /** Positions chosen by the user, including that of a dropped new element. */
  function cornersOf({ children = [] }: ElkNode, before: Placed): ReadonlyMap<string, Point> {
    const known = new Set((underNewIds(before, undefined).children ?? []).map(({ id }) => id));
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
    move(corners) {
      if (!last) return;
      for (const [id, corner] of corners) chosen.set(id, corner);
      become({ ...last, nodes: keepPlaces(last.nodes, last.nodes, nodeCorners(corners)) });
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

function aspectRatioOf({ width, height }: Size): number | undefined {
  return width === 0 || height === 0 ? undefined : Math.max(0.5, Math.min(4, width / height));
}
