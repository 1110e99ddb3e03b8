import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { createBoxIndex } from './box-index.ts';
import { type Box, type Point, type Size, boxOfLine, crosses, inflated, overlaps } from './geometry.ts';
import { labelPlaces } from './place-label.ts';

/** Distance of new labels from cards and other labels, in pixels. */
const labelGap = 4;

/** Occupied areas of the canvas, while lines and labels are added. */
export interface OccupiedSpace {
  /** The boxes at the two ends of an edge; fewer when the layout does not know them. */
  endsOf(edge: ElkExtendedEdge): readonly Box[];
  addLine(edge: ElkExtendedEdge, points: readonly Point[]): void;
  addLabel(edge: ElkExtendedEdge, label: Box): void;
  /** Whether a label covers no card, no label, and no line of another edge. */
  isFree(edge: ElkExtendedEdge, label: Box, gap?: number): boolean;
  /** Whether a line crosses a node that is not its own, and that it could avoid. */
  isBlocked(edge: ElkExtendedEdge, points: readonly Point[]): boolean;
  placeOnLine(edge: ElkExtendedEdge, points: readonly Point[], size: Size): Box | undefined;
  /** Everything that overlaps a box grown by `gap`. */
  takenIn(box: Box, gap: number): readonly Box[];
  nodesIn(area: Box): readonly Box[];
  labelsIn(area: Box): readonly Box[];
  linesIn(area: Box): readonly (readonly [Point, Point])[];
}

interface LinePart {
  readonly edge: string;
  readonly ends: readonly [Point, Point];
}

export function createOccupiedSpace(children: readonly ElkNode[]): OccupiedSpace {
  const boxes = new Map(
    children.map(({ id, x = 0, y = 0, width = 0, height = 0 }) => [id, { x, y, width, height }] as const),
  );
  const nodes = createBoxIndex<string>();
  const labels = createBoxIndex<string>();
  const lines = createBoxIndex<LinePart>();
  for (const [id, box] of boxes) nodes.add(id, box);

  const idsOf = ({ sources, targets }: ElkExtendedEdge): readonly string[] => [sources[0] ?? '', targets[0] ?? ''];
  const endsOf = (edge: ElkExtendedEdge): readonly Box[] => idsOf(edge).flatMap((id) => boxes.get(id) ?? []);

  const space: OccupiedSpace = {
    endsOf,
    addLine(edge, points) {
      for (const ends of partsOf(points)) lines.add({ edge: edge.id, ends }, boxOfLine(...ends));
    },
    addLabel: (edge, label) => labels.add(edge.id, label),
    isFree: (edge, label, gap = 0) =>
      [nodes, labels].every((index) =>
        index.near(inflated(label, gap)).every(([, box]) => !overlaps(label, box, gap)),
      ) && lines.near(label).every(([part]) => part.edge === edge.id || !crosses(label, ...part.ends)),
    isBlocked(edge, points) {
      const [ids, ends] = [idsOf(edge), endsOf(edge)];
      return partsOf(points).some((part) =>
        nodes
          .near(boxOfLine(...part))
          .some(([id, box]) => !ids.includes(id) && crosses(box, ...part) && !ends.some((end) => overlaps(end, box))),
      );
    },
    placeOnLine: (edge, points, size) => labelPlaces(points, size).find((box) => space.isFree(edge, box, labelGap)),
    takenIn(box, gap) {
      const area = inflated(box, gap);
      return [
        ...[nodes, labels].flatMap((index) => index.near(area).map(([, other]) => other)),
        ...lines.near(area).map(([, other]) => other),
      ].filter((other) => overlaps(box, other, gap));
    },
    nodesIn: (area) => nodes.near(area).map(([, box]) => box),
    labelsIn: (area) => labels.near(area).map(([, box]) => box),
    linesIn: (area) => lines.near(area).map(([{ ends }]) => ends),
  };
  return space;
}

function partsOf(points: readonly Point[]): readonly (readonly [Point, Point])[] {
  return points.slice(1).map((end, index) => [points[index] ?? end, end] as const);
}
