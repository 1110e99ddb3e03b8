import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { CardView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import { avoidOverlaps } from './avoid-overlaps.ts';
import { type CardContent, cardContent } from './card-content.ts';
import { type CorrelationLink, correlationLinks, kinOfIslands } from './correlation-links.ts';
import type { Size } from './geometry.ts';
import { layoutOptions, mediumGraph } from './layout-options.ts';
import { type RelationshipLabel, relationshipLabel } from './relationship-label.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';

/** Converts a graph to ELK input: sizes, edges and labels. Its nodes and edges are shared with other calls and must not be changed. */
export function toElkGraph(
  view: GraphView,
  text: TextMetrics,
  aspectRatio: number,
  collapsed: ReadonlySet<string> = new Set(),
): ElkNode {
  const known = new Set(view.elements.map(({ id }) => id));
  const links = view.relationships.map((relationship) => linkOf(relationship, known, text));
  const correlations = correlationLinks(view);
  const children = [
    ...view.elements.map((element) => nodeOf(element, cardContent(element, text, collapsed.has(element.id)))),
    ...links.flatMap(({ nodes }) => nodes),
    ...correlations.types.map((type) => ({ id: nodeId.entityType(type), ...typeSize(type, text) })),
  ];
  const edges = [
    ...links.flatMap((link) => link.edges),
    ...correlations.links.map(correlationEdge),
    ...(children.length > mediumGraph ? [] : kinOfIslands(view).map(kinEdge)),
  ];
  return { id: 'graph', layoutOptions: layoutOptions(children.length, aspectRatio), children, edges };
}

/** ELK ids; the prefixes distinguish elements and relationships of the same name. */
export const nodeId = {
  element: (id: string) => `element:${id}`,
  crossTable: (id: string) => `cross:${id}`,
  /** An entity type without a card. */
  entityType: (type: string) => `type:${type}`,
  missingEnd: (id: string, end: 'source' | 'target') => `missing-${end}:${id}`,
};

export const edgeId = {
  whole: (id: string) => `relationship:${id}`,
  correlation: (id: string) => `correlation:${id}`,
  isCorrelation: (id: string) => id.startsWith('correlation:'),
  /** Not drawn: it keeps a card near another. */
  kin: (id: string) => `kin:${id}`,
  isKin: (id: string) => id.startsWith('kin:'),
  /** A cross table is a node between two edges. */
  half: (id: string, half: 1 | 2) => `relationship-${half}:${id}`,
};

function correlationEdge({ id, source, target, entityType }: CorrelationLink): ElkExtendedEdge {
  const end = target === undefined ? nodeId.entityType(entityType) : nodeId.element(target);
  return { id: edgeId.correlation(id), sources: [nodeId.element(source)], targets: [end] };
}

function kinEdge({ island, kin }: { readonly island: string; readonly kin: string }): ElkExtendedEdge {
  return { id: edgeId.kin(island), sources: [nodeId.element(kin)], targets: [nodeId.element(island)] };
}

/** Padding and icon of the mark of an entity type, and the least width, with which its name has room when zoomed out. */
const typeFrame = { width: 44, height: 10 };
const leastTypeWidth = 160;

function typeSize(type: string, text: TextMetrics): Size {
  const width = Math.max(leastTypeWidth, Math.ceil(text.width(type, 'bold')) + typeFrame.width);
  return { width, height: text.lineHeight + typeFrame.height };
}

/** The marker for a missing end. */
const missingEndSize: Size = { width: 24, height: 24 };

/** The node of a card. The same content has the same object, so that comparing two inputs of ELK is fast. */
function nodeOf({ id }: CardView, content: CardContent): ElkNode {
  const before = knownNodes.get(content);
  if (before) return before;
  const node = { id: nodeId.element(id), ...content.size };
  knownNodes.set(content, node);
  return node;
}

/** Contents are those of one card (`card-content.ts`). */
const knownNodes = new WeakMap<CardContent, ElkNode>();

interface Link {
  readonly nodes: ElkNode[];
  readonly edges: ElkExtendedEdge[];
}

/** As with nodes, what has not changed is the same object. */
function linkOf(relationship: RelationshipView, elements: ReadonlySet<string>, text: TextMetrics): Link {
  const label = relationshipLabel(relationship, text);
  const ends = (['source', 'target'] as const).map((end) => endOf(relationship, end, elements));
  const before = knownLinks.get(label);
  if (before && ends.every(({ id }, index) => id === before.ends[index])) return before.link;
  const link = newLink(relationship, label, ends);
  knownLinks.set(label, { ends: ends.map(({ id }) => id), link });
  return link;
}

/** By label, each of which is that of one relationship, with the ids of its ends. */
const knownLinks = new WeakMap<RelationshipLabel, { readonly ends: readonly string[]; readonly link: Link }>();

function newLink(relationship: RelationshipView, label: RelationshipLabel, ends: readonly LinkEnd[]): Link {
  const { id } = relationship;
  const [source, target] = ends.map((end) => end.id) as [string, string];
  const missing = ends.filter((end) => !end.known).map((end) => ({ id: end.id, ...missingEndSize }));
  if (relationship.crossTable === undefined) {
    const inline = { 'elk.edgeLabels.inline': 'true' };
    const labels = [{ id: `label:${id}`, text: relationship.name, ...label.size, layoutOptions: inline }];
    return { nodes: missing, edges: [{ id: edgeId.whole(id), sources: [source], targets: [target], labels }] };
  }
  const middle = nodeId.crossTable(id);
  return {
    nodes: [...missing, { id: middle, ...label.size }],
    edges: [
      { id: edgeId.half(id, 1), sources: [source], targets: [middle] },
      { id: edgeId.half(id, 2), sources: [middle], targets: [target] },
    ],
  };
}

interface LinkEnd {
  readonly id: string;
  readonly known: boolean;
}

function endOf(relationship: RelationshipView, end: 'source' | 'target', elements: ReadonlySet<string>): LinkEnd {
  const element = relationship[end];
  const known = element !== undefined && elements.has(element);
  return { known, id: known ? nodeId.element(element) : nodeId.missingEnd(relationship.id, end) };
}

/** Between the nodes of rows. */
const rowGap = 96;

/** Fallback layout when ELK cannot run: rows, with lines around them. */
export function layoutInRows(graph: ElkNode): ElkNode {
  const nodes = graph.children ?? [];
  const columns = Math.max(1, Math.ceil(Math.sqrt(nodes.length)));
  const width = Math.max(0, ...nodes.map((node) => node.width ?? 0));
  const height = Math.max(0, ...nodes.map((node) => node.height ?? 0));
  const children = nodes.map((node, index) => ({
    ...node,
    x: 24 + (index % columns) * (width + rowGap),
    y: 24 + Math.floor(index / columns) * (height + rowGap),
  }));
  return avoidOverlaps({ ...graph, children });
}
