import { createHash } from 'node:crypto';
import type { ElkExtendedEdge, ElkNode, ElkPoint } from 'elkjs/lib/elk-api.js';
import { version } from 'elkjs/package.json';
import type { LayOut } from './layout-map.ts';

/** Persistent storage of layouts. Neither function rejects: a missing layout is computed again. */
export interface LayoutCache {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** Maximum number of cached layouts; the oldest is evicted. */
const maxLayouts = 16;

/** Numbers only: a manipulated cache file can move shapes, but not add any. */
interface Geometry {
  readonly key: string;
  readonly size: readonly number[];
  /** Four numbers for each node: x, y, width, height. */
  readonly nodes: readonly number[];
  readonly edges: readonly EdgeGeometry[];
}

interface EdgeGeometry {
  /** Two numbers for each point; a list for each section. */
  readonly sections: readonly (readonly number[])[];
  /** Four numbers for each label. */
  readonly labels: readonly number[];
}

/**
 * Caches layouts by a hash of the graph. ELK is deterministic, and takes longer than all other steps of drawing a
 * counted map.
 */
export function cachedLayouts(layOut: LayOut, cache: LayoutCache): LayOut {
  return Object.assign(async (graph: ElkNode, signal?: AbortSignal): Promise<ElkNode> => {
    const key = createHash('sha256')
      .update(JSON.stringify([version, graph]))
      .digest('hex');
    const known = readLayouts(await cache.read());
    const cached = known.find((each) => each.key === key);
    const placed = cached && place(graph, cached);
    if (placed) return placed;
    const made = await layOut(graph, signal);
    const others = known.filter((each) => each.key !== key).slice(1 - maxLayouts);
    await cache.write(`${JSON.stringify([...others, { key, ...geometryOf(made) }])}\n`);
    return made;
  }, layOut);
}

function geometryOf({ width = 0, height = 0, children = [], edges = [] }: ElkNode): Omit<Geometry, 'key'> {
  return {
    size: [width, height],
    nodes: children.flatMap(boxOf),
    edges: edges.map(({ sections = [], labels = [] }) => ({
      sections: sections.map(({ startPoint, bendPoints = [], endPoint }) =>
        [startPoint, ...bendPoints, endPoint].flatMap(({ x, y }) => [x, y]),
      ),
      labels: labels.flatMap(boxOf),
    })),
  };
}

function boxOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<ElkNode>): readonly number[] {
  return [x, y, width, height];
}

/** The graph with cached positions; undefined when they do not fit the graph. */
function place(graph: ElkNode, { size, nodes, edges }: Geometry): ElkNode | undefined {
  const { children = [], edges: lines = [] } = graph;
  const fits =
    nodes.length === 4 * children.length &&
    edges.length === lines.length &&
    lines.every(({ labels = [] }, index) => edges[index]?.labels.length === 4 * labels.length);
  if (!fits) return undefined;
  const [width = 0, height = 0] = size;
  return {
    ...graph,
    width,
    height,
    children: children.map((node, index) => ({ ...node, ...boxAt(nodes, index) })),
    edges: lines.map((line, index) => placeEdge(line, edges[index])),
  };
}

function placeEdge(line: ElkExtendedEdge, geometry: EdgeGeometry = { sections: [], labels: [] }): ElkExtendedEdge {
  return {
    ...line,
    sections: geometry.sections.map((numbers, index) => {
      const points = pointsOf(numbers);
      const [startPoint = origin, endPoint = origin] = [points.at(0), points.at(-1)];
      return { id: `${line.id}_s${index}`, startPoint, endPoint, bendPoints: points.slice(1, -1) };
    }),
    ...(line.labels && { labels: line.labels.map((label, index) => ({ ...label, ...boxAt(geometry.labels, index) })) }),
  };
}

const origin: ElkPoint = { x: 0, y: 0 };

function boxAt(numbers: readonly number[], index: number) {
  const [x = 0, y = 0, width = 0, height = 0] = numbers.slice(4 * index, 4 * index + 4);
  return { x, y, width, height };
}

function pointsOf(numbers: readonly number[]): readonly ElkPoint[] {
  return Array.from({ length: numbers.length / 2 }, (_, index) => ({
    x: numbers[2 * index] ?? 0,
    y: numbers[2 * index + 1] ?? 0,
  }));
}

/** The valid layouts in a cache file. */
function readLayouts(text: string | undefined): readonly Geometry[] {
  if (text === undefined) return [];
  try {
    const layouts: unknown = JSON.parse(text);
    return Array.isArray(layouts) ? layouts.filter(isGeometry) : [];
  } catch {
    return [];
  }
}

function isGeometry(value: unknown): value is Geometry {
  const { key, size, nodes, edges } = (value ?? {}) as Partial<Record<keyof Geometry, unknown>>;
  return typeof key === 'string' && isNumbers(size) && isNumbers(nodes) && Array.isArray(edges) && edges.every(isEdge);
}

function isEdge(value: unknown): value is EdgeGeometry {
  const { sections, labels } = (value ?? {}) as Partial<Record<keyof EdgeGeometry, unknown>>;
  return isNumbers(labels) && Array.isArray(sections) && sections.every(isPath);
}

/** A section has at least a start and an end. */
function isPath(value: unknown): boolean {
  return isNumbers(value) && value.length >= 4 && value.length % 2 === 0;
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(Number.isFinite);
}
