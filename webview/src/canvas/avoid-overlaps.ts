import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { findRoute } from './find-route.ts';
import { nearestFreePlace } from './free-place.ts';
import { type Box, type Point, type Size, centreOf, overlaps } from './geometry.ts';
import { type OccupiedSpace, createOccupiedSpace } from './occupied-space.ts';
import { centredBox, halfway } from './place-label.ts';

/** Distance in pixels around a label to which its line is led. */
const roomAroundLabel = 20;

/** Distances of new lines from cards, the most pleasant first; labels are gone around while that is possible. */
const attempts = [
  { margin: 14, avoidsLabels: true },
  { margin: 5, avoidsLabels: true },
  { margin: 1, avoidsLabels: true },
  { margin: 5, avoidsLabels: false },
  { margin: 1, avoidsLabels: false },
] as const;

/**
 * Routes again what would cover something: lines without a route, lines across a card that is not theirs, and labels
 * over a card, another label or a line. All else stays as it is, and no card moves. Cards that overlap, because a
 * person put them so, are crossed only by lines that begin or end there.
 */
export function avoidOverlaps(graph: ElkNode): ElkNode {
  const space = createOccupiedSpace(graph.children ?? []);
  const edges = graph.edges ?? [];
  const settled = new Map<string, ElkExtendedEdge>();
  const keep = (edge: ElkExtendedEdge, { points, label }: Routed): void => {
    space.addLine(edge, points);
    if (label) space.addLabel(edge, label);
    settled.set(edge.id, withRoute(edge, points, label));
  };
  // What can stay takes its place first: lines, then labels.
  const lines = new Map(edges.map((edge) => [edge, cornersOf(edge)]));
  const staying = edges.filter((edge) => {
    const points = lines.get(edge) ?? [];
    return points.length >= 2 && !space.isBlocked(edge, points);
  });
  for (const edge of staying) space.addLine(edge, lines.get(edge) ?? []);
  const without = staying.filter((edge) => {
    const label = labelOf(edge);
    if (label && !space.isFree(edge, label)) return true;
    if (label) space.addLabel(edge, label);
    settled.set(edge.id, edge);
    return false;
  });
  for (const edge of without) {
    const [points, size] = [lines.get(edge) ?? [], labelOf(edge)];
    const label = size && space.placeOnLine(edge, points, size);
    keep(edge, label ? { points, label } : route(edge, size, space));
  }
  for (const edge of edges) if (!settled.has(edge.id)) keep(edge, route(edge, labelOf(edge), space));
  return { ...graph, edges: edges.map((edge) => settled.get(edge.id) ?? edge) };
}

interface Routed {
  readonly points: readonly Point[];
  readonly label: Box | undefined;
}

/** A new line between the ends of an edge, with its label on it. */
function route(edge: ElkExtendedEdge, size: Size | undefined, space: OccupiedSpace): Routed {
  const [source, target] = space.endsOf(edge);
  if (!source || !target) return { points: cornersOf(edge), label: labelOf(edge) };
  const isLoop = source === target;
  const direct = isLoop ? undefined : connect(source, target, [source, target], space);
  if (!size) return { points: direct ?? straight(source, target), label: undefined };
  const onLine = direct && space.placeOnLine(edge, direct, size);
  if (direct && onLine) return { points: direct, label: onLine };
  // No part of the line has room for its label: the line goes to where there is some.
  const middle = isLoop
    ? { x: source.x + source.width / 2, y: source.y + source.height + size.height / 2 + roomAroundLabel }
    : halfway(direct ?? straight(source, target));
  const label = nearestFreePlace(centredBox(middle, size), space.takenIn, roomAroundLabel);
  const first = connect(source, label, [source, target], space) ?? straight(source, label);
  space.addLine(edge, first);
  const second = connect(label, target, [source, target], space) ?? straight(label, target);
  return { points: [...first, ...second], label };
}

/** @param own the boxes at the ends of the whole line: what overlaps them cannot be avoided. */
function connect(
  source: Box,
  target: Box,
  own: readonly Box[],
  { nodesIn, labelsIn, linesIn }: OccupiedSpace,
): readonly Point[] | undefined {
  const isAvoidable = (box: Box): boolean =>
    box !== source && box !== target && (own.includes(box) || !own.some((end) => overlaps(end, box)));
  for (const { margin, avoidsLabels } of attempts) {
    const points = findRoute(source, target, {
      ...{ margin, linesIn },
      obstaclesIn: (area) => [...nodesIn(area).filter(isAvoidable), ...(avoidsLabels ? labelsIn(area) : [])],
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
