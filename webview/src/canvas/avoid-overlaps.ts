import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { findRoute } from './find-route.ts';
import { nearestFreePlace } from './free-place.ts';
import { type Box, type Point, type Size, centreOf, overlaps } from './geometry.ts';
import { type OccupiedSpace, createOccupiedSpace } from './occupied-space.ts';
import { centredBox, midpoint } from './place-label.ts';

/** Distance in pixels around a label to which its line is led. */
const roomAroundLabel = 20;

/**
 * Lines that are led around cards in one pass, which takes about a second. Only a large graph that is laid out without
 * ELK, or whose cards were nearly all moved by hand, has more; the rest of its lines are straight.
 */
const maxRoutes = 120;

interface Attempt {
  readonly margin: number;
  readonly avoidsLabels: boolean;
  readonly isThroughOtherEnd?: boolean;
}

/**
 * Distances of new lines from cards, the most pleasant first; labels are gone around while that is possible. A part of
 * a line that begins at a card under the other end of the line can only leave it through that end.
 */
const attempts: readonly Attempt[] = [
  { margin: 14, avoidsLabels: true },
  { margin: 5, avoidsLabels: true },
  { margin: 1, avoidsLabels: true },
  { margin: 5, avoidsLabels: true, isThroughOtherEnd: true },
  { margin: 1, avoidsLabels: true, isThroughOtherEnd: true },
  { margin: 5, avoidsLabels: false },
  { margin: 1, avoidsLabels: false },
];

/**
 * Routes again what would cover something: lines without a route, lines across a card that is not theirs, and labels
 * over a card, another label or a line. All else stays as it is, and no card moves. Cards that overlap, because a
 * person put them so, are crossed only by lines that begin or end there.
 * @param isSettled whether an edge with its label is known to cover nothing; others are examined.
 */
export function avoidOverlaps(graph: ElkNode, isSettled: (edge: ElkExtendedEdge) => boolean = () => false): ElkNode {
  const known = new Set((graph.edges ?? []).filter(isSettled));
  if (known.size === (graph.edges ?? []).length) return graph;
  const space = createOccupiedSpace(graph.children ?? []);
  const edges = graph.edges ?? [];
  const settled = new Map<string, ElkExtendedEdge>();
  const keep = (edge: ElkExtendedEdge, { points, label }: Routed): void => {
    space.addLine(edge, points);
    if (label) space.addLabel(edge, label);
    settled.set(edge.id, withRoute(edge, points, label));
  };
  // Unchanged lines and labels keep their places; the others avoid them.
  const lines = new Map(edges.map((edge) => [edge, cornersOf(edge)]));
  const staying = edges.filter((edge) => {
    const points = lines.get(edge) ?? [];
    return known.has(edge) || (points.length >= 2 && !space.isBlocked(edge, points));
  });
  for (const edge of staying) space.addLine(edge, lines.get(edge) ?? []);
  const without = staying.filter((edge) => {
    const label = labelOf(edge);
    if (label && !known.has(edge) && !space.isFree(edge, label)) return true;
    if (label) space.addLabel(edge, label);
    settled.set(edge.id, edge);
    return false;
  });
  let routes = 0;
  const routeNext = (edge: ElkExtendedEdge, size: Size | undefined): Routed => {
    routes += 1;
    return route(edge, size, space, routes <= maxRoutes);
  };
  for (const edge of without) {
    const [points, size] = [lines.get(edge) ?? [], labelOf(edge)];
    const label = size && space.placeOnLine(edge, points, size);
    keep(edge, label ? { points, label } : routeNext(edge, size));
  }
  for (const edge of edges) if (!settled.has(edge.id)) keep(edge, routeNext(edge, labelOf(edge)));
  return { ...graph, edges: edges.map((edge) => settled.get(edge.id) ?? edge) };
}

interface Routed {
  readonly points: readonly Point[];
  readonly label: Box | undefined;
}

/** A new line between the ends of an edge, with its label on it. */
function route(edge: ElkExtendedEdge, size: Size | undefined, space: OccupiedSpace, isSearched: boolean): Routed {
  const [source, target] = space.endsOf(edge);
  if (!source || !target) return { points: cornersOf(edge), label: labelOf(edge) };
  const isLoop = source === target;
  const search = (from: Box, to: Box): readonly Point[] | undefined =>
    isSearched ? connect(from, to, [source, target], space) : undefined;
  const direct = isLoop ? undefined : search(source, target);
  if (!size) return { points: direct ?? straight(source, target), label: undefined };
  const onLine = direct && space.placeOnLine(edge, direct, size);
  if (direct && onLine) return { points: direct, label: onLine };
  // No part of the line has room for its label: the line goes to where there is some.
  const middle = isLoop
    ? { x: source.x + source.width / 2, y: source.y + source.height + size.height / 2 + roomAroundLabel }
    : midpoint(direct ?? straight(source, target));
  const label = nearestFreePlace(centredBox(middle, size), space.takenIn, roomAroundLabel);
  const first = search(source, label) ?? straight(source, label);
  space.addLine(edge, first);
  const second = search(label, target) ?? straight(label, target);
  return { points: [...first, ...second], label };
}

/** @param own the boxes at the ends of the whole line: what overlaps them cannot be avoided. */
function connect(
  source: Box,
  target: Box,
  own: readonly Box[],
  { nodesIn, labelsIn, linesIn }: OccupiedSpace,
): readonly Point[] | undefined {
  const covering = own.filter(
    (box) => box !== source && box !== target && (overlaps(box, source) || overlaps(box, target)),
  );
  const isAvoidable = (box: Box): boolean =>
    box !== source && box !== target && (own.includes(box) || !own.some((end) => overlaps(end, box)));
  for (const { margin, avoidsLabels, isThroughOtherEnd } of attempts) {
    if (isThroughOtherEnd && covering.length === 0) continue;
    const isObstacle = (box: Box): boolean => isAvoidable(box) && !(isThroughOtherEnd && covering.includes(box));
    const points = findRoute(source, target, {
      margin,
      linesIn,
      obstaclesIn: (area) => [...nodesIn(area).filter(isObstacle), ...(avoidsLabels ? labelsIn(area) : [])],
    });
    if (points) return points;
  }
  return undefined;
}

function straight(source: Box, target: Box): readonly Point[] {
  return [centreOf(source), centreOf(target)];
}

function labelOf({ labels }: ElkExtendedEdge): Box | undefined {
  const [label] = labels ?? [];
  return label && { x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0, height: label.height ?? 0 };
}

/** The corners of an edge from its source to its target. */
export function cornersOf({ sections = [] }: ElkExtendedEdge): readonly Point[] {
  return sections.flatMap(({ startPoint, bendPoints, endPoint }) => [startPoint, ...(bendPoints ?? []), endPoint]);
}

function withRoute(edge: ElkExtendedEdge, points: readonly Point[], label: Box | undefined): ElkExtendedEdge {
  const [startPoint, endPoint] = [points[0], points.at(-1)];
  if (!startPoint || !endPoint) return edge;
  const labels = (edge.labels ?? []).map((each) => ({ ...each, ...label }));
  const sections = [{ id: `${edge.id}:0`, startPoint, bendPoints: points.slice(1, -1), endPoint }];
  return { ...edge, ...(edge.labels ? { labels } : {}), sections };
}
