import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { CardView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import { keyOf } from './view-key.ts';
import { ownParts } from './bundle-lines.ts';
import { type CardContent, cardContent } from './card-content.ts';
import { type CorrelationLink, correlationLinks } from './correlation-links.ts';
import { type Box, type Point, boxAround, centreOf } from './geometry.ts';
import { edgeId, nodeId } from './layout.ts';
import { centredBox, midpoint } from './place-label.ts';
import { type RelationshipLabel, relationshipLabel } from './relationship-label.ts';
import { isSameData } from '../../../protocol/same-data.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import type { OpeningArea } from './viewport.ts';

/** A graph with positions: the complete input for drawing. */
export interface Picture {
  readonly bounds: Box;
  /** In reading order. */
  readonly cards: readonly PlacedCard[];
  readonly relationships: readonly PlacedRelationship[];
  readonly correlations: readonly PlacedCorrelation[];
  /** Entity types that only correlations name. */
  readonly types: readonly PlacedType[];
}

export interface PlacedCorrelation {
  readonly link: CorrelationLink;
  /** Corner points from the element to the entity type. */
  readonly points: readonly Point[];
  /** The corner points of the part that it shares with no other line to the entity type. */
  readonly own: readonly Point[];
  /** Where it takes the focus, in the middle of its own part. */
  readonly handle: Box;
}

export interface PlacedType {
  readonly entityType: string;
  readonly box: Box;
}

export interface PlacedCard {
  readonly element: CardView;
  readonly content: CardContent;
  readonly box: Box;
  readonly collapsed: boolean;
}

interface PictureOptions {
  /** Ids of collapsed elements. */
  readonly collapsed?: ReadonlySet<string>;
  /** The previous drawing, and its positions; equal cards and relationships are reused and not drawn again. */
  readonly before?: { readonly picture: Picture; readonly placed?: ElkNode | undefined } | undefined;
}

export interface PlacedRelationship {
  readonly relationship: RelationshipView;
  readonly label: RelationshipLabel;
  readonly labelBox: Box;
  /** Corner points of its lines from source to target; two lines with a cross table between. */
  readonly lines: readonly (readonly Point[])[];
  /** Markers of missing ends. */
  readonly missingEnds: readonly Box[];
}

/** Combines a graph with the positions of a layout; entries without a position are omitted. */
export function toPicture(
  view: GraphView,
  placed: ElkNode,
  text: TextMetrics,
  { collapsed = new Set(), before }: PictureOptions = {},
): Picture {
  const cardsBefore = new Map(before?.picture.cards.map((card) => [card.element, card]));
  const boxes = new Map((placed.children ?? []).map((node) => [node.id, placeOf(node)]));
  const edges = new Map((placed.edges ?? []).map((edge) => [edge.id, edge]));
  const cards = view.elements.flatMap((element) => {
    const box = boxes.get(nodeId.element(element.id));
    if (!box) return [];
    const same = cardsBefore.get(element);
    const isCollapsed = collapsed.has(element.id);
    if (same && same.collapsed === isCollapsed && sameBox(same.box, box)) return [same];
    return [{ element, content: cardContent(element, text, isCollapsed), box, collapsed: isCollapsed }];
  });
  const linksBefore = new Map(before?.picture.relationships.map((placed) => [placed.relationship, placed]));
  const isInPlace = before?.placed === placed;
  const relationships = view.relationships.flatMap((relationship) => {
    const same = linksBefore.get(relationship);
    if (same && isInPlace) return [same];
    const found = placeRelationship(relationship, boxes, edges);
    if (!found) return [];
    if (
      same &&
      sameBox(same.labelBox, found.labelBox) &&
      isSameData(same.lines, found.lines) &&
      isSameData(same.missingEnds, found.missingEnds)
    )
      return [same];
    return [{ relationship, label: relationshipLabel(relationship, text), ...found }];
  });
  const { correlations, types } = placeCorrelations(view, boxes, edges, isInPlace ? before?.picture : undefined);
  return {
    bounds: isInPlace && before ? before.picture.bounds : boundsOf(boxes.values(), relationships, correlations),
    cards: cards.toSorted(byReadingOrder),
    relationships,
    correlations,
    types,
  };
}

const handleSize = { width: 14, height: 14 };

/** Those of an unchanged layout of the same graph are the same objects. */
function placeCorrelations(
  view: GraphView,
  boxes: ReadonlyMap<string, Box>,
  edges: ReadonlyMap<string, ElkExtendedEdge>,
  before: Picture | undefined,
): Pick<Picture, 'correlations' | 'types'> {
  const { links, types } = correlationLinks(view);
  const isSame = before?.correlations.length === links.length && isSameData(linksOf(before), links);
  if (before && isSame) return { correlations: before.correlations, types: before.types };
  const lines = links.flatMap((link) => {
    const edge = edges.get(edgeId.correlation(link.id));
    return edge ? [{ link, points: cornersOf(edge) }] : [];
  });
  const owns = ownParts(lines.map(({ points }) => points));
  return {
    correlations: lines.map(({ link, points }, index) => {
      const own = owns[index] ?? points;
      return { link, points, own, handle: centredBox(midpoint(own), handleSize) };
    }),
    types: types.flatMap((entityType) => {
      const box = boxes.get(nodeId.entityType(entityType));
      return box ? [{ entityType, box }] : [];
    }),
  };
}

function linksOf({ correlations }: Picture): readonly CorrelationLink[] {
  return correlations.map(({ link }) => link);
}

function boundsOf(
  boxes: Iterable<Box>,
  relationships: readonly PlacedRelationship[],
  correlations: readonly PlacedCorrelation[],
): Box {
  const links = relationships.flatMap(({ labelBox, lines }) => [labelBox, ...lines.flat().map(asBox)]);
  const lines = correlations.flatMap(({ points }) => points.map(asBox));
  return boxAround([...boxes, ...links, ...lines]) ?? { x: 0, y: 0, width: 0, height: 0 };
}

function sameBox(one: Box, other: Box): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

/** Column by column: ELK centres the cards of a column. */
function byReadingOrder(one: PlacedCard, other: PlacedCard): number {
  return Math.round(centreOf(one.box).x) - Math.round(centreOf(other.box).x) || one.box.y - other.box.y;
}

function placeRelationship(
  { id, crossTable }: RelationshipView,
  boxes: ReadonlyMap<string, Box>,
  edges: ReadonlyMap<string, ElkExtendedEdge>,
): Pick<PlacedRelationship, 'labelBox' | 'lines' | 'missingEnds'> | undefined {
  const missingEnds = (['source', 'target'] as const).flatMap((end) => boxes.get(nodeId.missingEnd(id, end)) ?? []);
  const ids = crossTable === undefined ? [edgeId.whole(id)] : [edgeId.half(id, 1), edgeId.half(id, 2)];
  const parts = ids.flatMap((part) => edges.get(part) ?? []);
  const label = parts[0]?.labels?.[0];
  const labelBox = crossTable === undefined ? label && placeOf(label) : boxes.get(nodeId.crossTable(id));
  return labelBox && { labelBox, lines: parts.map(cornersOf), missingEnds };
}

function cornersOf(edge: ElkExtendedEdge): readonly Point[] {
  return (edge.sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) => [
    startPoint,
    ...(bendPoints ?? []),
    endPoint,
  ]);
}

function placeOf({ x = 0, y = 0, width = 0, height = 0 }: Partial<Box>): Box {
  return { x, y, width, height };
}

function asBox({ x, y }: Point): Box {
  return { x, y, width: 0, height: 0 };
}

/** What the first view of a picture depends on. The roots are the cards that no line leads to, but for their own. */
export function openingOf({ bounds, cards, relationships, correlations }: Picture): OpeningArea {
  const targets = new Set<string | undefined>();
  for (const { relationship } of relationships)
    if (relationship.source !== relationship.target) targets.add(relationship.target);
  for (const { link } of correlations) targets.add(link.target);
  const roots = boxAround(cards.filter(({ element }) => !targets.has(element.id)).map(({ box }) => box));
  return { bounds, roots };
}

/** Position of a card, a relationship label or the handle of a correlation, by key. */
export function boxOf(picture: Picture | undefined, key: string | undefined): Box | undefined {
  return (
    picture?.cards.find(({ element }) => keyOf.element(element.id) === key)?.box ??
    picture?.relationships.find(({ relationship }) => keyOf.relationship(relationship.id) === key)?.labelBox ??
    picture?.correlations.find(({ link }) => keyOf.correlation(link.id) === key)?.handle
  );
}
