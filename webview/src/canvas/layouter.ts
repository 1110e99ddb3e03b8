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

/** Makes the pictures of one graph after another, and gives out only that of the newest. */
export interface Layouter {
  /** What was placed stays where it is; the first graph, and any with `again`, is placed as a whole. */
  show(view: GraphView, screen: Size, options: ShowOptions): void;
  /** Moves elements to corners, by their ids. */
  move(corners: ReadonlyMap<string, Point>): void;
  /** Where the next element that is new will have its middle. */
  expectAt(point: Point | undefined): void;
  /** Positions that people chose, as they are to be kept. */
  readonly chosen: CanvasLayout;
  /** Takes over positions that were kept; those that are not in it are forgotten. */
  choose(layout: CanvasLayout): void;
  /** Gives out nothing of what was shown before. */
  forget(): void;
}

export interface ShowOptions {
  readonly again: boolean;
  /** Ids of elements of which only the head is drawn. */
  readonly collapsed: ReadonlySet<string>;
}

export interface LayoutListener {
  /**
   * @param failure Why ELK could not place it; the picture is in rows then.
   * @param anew Everything may stand elsewhere; else all stands where it stood, but for what was moved by hand.
   */
  onPicture(picture: Picture, failure: string | undefined, anew: boolean): void;
  /** The positions to be kept have changed. */
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
    // That of the first picture stays: resizing the window moves nothing.
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

  /** Positions of elements that got another name go with them. */
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

  /** Corners that people chose, that of a new element which was dropped among them. */
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

/** The graph as it was placed, its elements under the ids that they have in a newer view. */
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
