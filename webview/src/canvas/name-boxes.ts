import type { TextMetrics } from '../ui/text-metrics.ts';
import { type Box, type Point, inflated, overlaps } from './geometry.ts';
import type { Picture } from './picture.ts';
import { keyOf } from './view-key.ts';
import { type Detail, nameSizeAt } from './zoom-detail.ts';

/** How cards and cross tables are drawn while names are all that is shown of them, by key. */
export interface NameBoxes {
  /** Boxes that are larger than their own, so that the whole name has room. */
  readonly larger: ReadonlyMap<string, Box>;
  /** Those without room for their name. */
  readonly nameless: ReadonlySet<string>;
}

/** In a larger graph, changing all boxes takes the browser several frames. */
const mostCards = 120;

/** Whether the boxes of a picture grow with their names. */
export function hasNameBoxes(picture: Picture | undefined): boolean {
  return picture !== undefined && picture.cards.length <= mostCards;
}

/** Height of a line by font size, and the most lines of a name; as in the styles of the page. */
const lineHeight = 1.1;
const maxLines = 3;
/** Border, padding and coloured stripe, in pixels of the canvas. */
const frame = { width: 24, height: 2 };
/** What remains of a gap, in pixels of the canvas. */
const leastGap = 3;
/** Icons before a name: width by font size. */
const iconWidth = 1.4;

interface Named {
  readonly key: string;
  readonly name: string;
  readonly icons: number;
  /** Lines below the name: that of a change. */
  readonly below: number;
  readonly box: Box;
}

/** The boxes for a zoom at which only names are shown; undefined where all boxes keep their size. */
export function nameBoxes(picture: Picture, zoom: number, detail: Detail, text: TextMetrics): NameBoxes | undefined {
  if (detail === 'full' || !hasNameBoxes(picture)) return undefined;
  const size = nameSizeAt(zoom, true);
  const before = known.get(picture);
  if (before?.size === size && before.detail === detail) return before.boxes;
  const boxes = findBoxes(picture, size, detail, text);
  known.set(picture, { size, detail, boxes });
  return boxes;
}

/** Each frame of a movement asks for the same picture. */
const known = new WeakMap<Picture, { readonly size: number; readonly detail: Detail; readonly boxes: NameBoxes }>();

function findBoxes(
  { bounds: drawn, cards, relationships, types }: Picture,
  size: number,
  detail: Detail,
  text: TextMetrics,
): NameBoxes {
  const named: readonly Named[] = [
    ...cards.map(({ element, content, box }) => ({
      key: keyOf.element(element.id),
      name: content.title,
      box,
      icons: (content.severity === undefined ? 0 : 1) + (content.isMasterData ? 1 : 0),
      below: content.change ? 1 : 0,
    })),
    ...relationships
      .filter(({ label }) => label.crossTable !== undefined)
      .map(({ relationship, label, labelBox }) => ({
        key: keyOf.relationship(relationship.id),
        name: label.name,
        box: labelBox,
        icons: label.severity === undefined ? 0 : 1,
        below: label.change ? 1 : 0,
      })),
    ...types.map(({ entityType, box }) => ({
      key: keyOf.entityType(entityType),
      name: entityType,
      box,
      icons: 0,
      below: 0,
    })),
  ];
  const others = [
    ...relationships.flatMap(({ label, labelBox, missingEnds }) => [
      ...missingEnds,
      ...(label.crossTable === undefined && detail === 'names' ? [labelBox] : []),
    ]),
  ];
  // There is a margin of at least two lines around a fitted graph.
  const bounds = inflated(drawn, size);
  const current = [...named.map(({ box }) => box), ...others];
  const cells = cellsOf(current, bounds);
  const measured = named.map(({ name, icons, below }): MeasuredName => {
    const widthOf = (part: string): number => (text.width(part, 'bold') * size) / text.fontSize;
    const taken = frame.width + icons * iconWidth * size;
    return { words: name.split(/\s+/).map(widthOf), space: widthOf(' '), size, taken, below };
  });
  let best: NameBoxes | undefined;
  for (const costOfHeight of costsOfHeight) {
    const found = place(named, measured, { boxes: current, cells, bounds, costOfHeight });
    if (!best || found.nameless.size < best.nameless.size) best = found;
    if (best.nameless.size === 0) break;
  }
  return best ?? { larger: new Map(), nameless: new Set() };
}

/** There is more room beside the cards of a column than between them; the others are tried where names have no room. */
const costsOfHeight = [3, 10, 1, 0.3];

interface Room {
  /** Of the names, then those that no name may cover. */
  readonly boxes: readonly Box[];
  readonly cells: readonly Box[];
  readonly bounds: Box;
  /** Of a pixel, beside one of width. */
  readonly costOfHeight: number;
}

function place(
  named: readonly Named[],
  measured: readonly MeasuredName[],
  { boxes, cells, bounds, costOfHeight }: Room,
): NameBoxes {
  const current = [...boxes];
  const isNamed = named.map(({ box }, index) => {
    const name = measured[index];
    const fitting = name && boxFor(name, box, cells[index] ?? box, costOfHeight);
    current[index] = fitting ?? box;
    return fitting !== undefined;
  });
  const nameless = new Set<string>();
  // What their neighbours do not need is for the names that have no room in their own half.
  for (const [index, { key, box }] of named.entries()) {
    const name = measured[index];
    if (!name || isNamed[index]) continue;
    const fitting = firstDefined([false, true], (isLevel) => {
      const first = grown(index, current, { bounds, isLevel, share: 1 });
      const room = grown(index, current.with(index, first), { bounds, isLevel: !isLevel, share: 1 });
      return boxFor(name, box, room, costOfHeight);
    });
    if (fitting) current[index] = fitting;
    else nameless.add(key);
  }
  const larger = new Map(
    named.flatMap(({ key, box }, index) => {
      const now = current[index];
      return now === undefined || now === box ? [] : [[key, now] as const];
    }),
  );
  return { larger, nameless };
}

function firstDefined<Given, Found>(
  all: readonly Given[],
  find: (given: Given) => Found | undefined,
): Found | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface MeasuredName {
  readonly words: readonly number[];
  readonly space: number;
  /** Of the font. */
  readonly size: number;
  /** Width of what is beside the name. */
  readonly taken: number;
  readonly below: number;
}

/** The smallest box for a name, at least its own, within the cell; undefined where there is none. The lines below it come second. */
function boxFor(name: MeasuredName, box: Box, cell: Box, costOfHeight: number): Box | undefined {
  const whole = boxOfLines(name, box, cell, costOfHeight);
  return whole || name.below === 0 ? whole : boxOfLines({ ...name, below: 0 }, box, cell, costOfHeight);
}

function boxOfLines(
  { words, space, size, taken, below }: MeasuredName,
  box: Box,
  cell: Box,
  costOfHeight: number,
): Box | undefined {
  const most = Math.min(maxLines, Math.floor((cell.height - frame.height) / (size * lineHeight)) - below);
  const oneLine = words.reduce((sum, word) => sum + word + space, taken);
  const widest = Math.max(box.width, Math.min(cell.width, oneLine));
  let best: { readonly box: Box; readonly cost: number } | undefined;
  for (let step = 0; step <= widthSteps; step += 1) {
    const width = box.width + ((widest - box.width) * step) / widthSteps;
    const lines = linesOf(words, space, width - taken);
    if (lines > most) continue;
    const height = Math.max(box.height, (lines + below) * size * lineHeight + frame.height);
    if (width === box.width && height === box.height) return box;
    const cost = width - box.width + (height - box.height) * costOfHeight;
    if (cost < (best?.cost ?? Infinity))
      best = { box: { ...placedIn(cell, box, { width, height }), width, height }, cost };
  }
  return best?.box;
}

const widthSteps = 10;

/** As near to its own place as the cell allows. */
function placedIn(cell: Box, box: Box, { width, height }: { readonly width: number; readonly height: number }): Point {
  const middle = box.y + (box.height - height) / 2;
  return {
    x: Math.min(box.x, cell.x + cell.width - width),
    y: Math.max(cell.y, Math.min(middle, cell.y + cell.height - height)),
  };
}

/** Lines of a text that breaks between its words; Infinity where a word is too long. */
function linesOf(words: readonly number[], space: number, width: number): number {
  let [lines, used] = [1, 0];
  for (const word of words) {
    if (word > width) return Infinity;
    const next = used === 0 ? word : used + space + word;
    if (next > width) [lines, used] = [lines + 1, word];
    else used = next;
  }
  return lines;
}

/**
 * The room of each box: it grows up and down to nearly the middle of the gap to the next box, then to the left and right
 * likewise. No two of them overlap, unless their boxes do.
 */
function cellsOf(boxes: readonly Box[], bounds: Box): readonly Box[] {
  const tall = boxes.map((_, index) => grown(index, boxes, { bounds, isLevel: false, share: 0.5 }));
  return tall.map((_, index) => grown(index, tall, { bounds, isLevel: true, share: 0.5 }));
}

interface Growth {
  readonly bounds: Box;
  readonly isLevel: boolean;
  /** Of the gaps to the next boxes. */
  readonly share: number;
}

function grown(index: number, all: readonly Box[], { bounds, isLevel, share }: Growth): Box {
  const box = all[index] ?? bounds;
  const [at, length] = isLevel ? (['x', 'width'] as const) : (['y', 'height'] as const);
  const [across, breadth] = isLevel ? (['y', 'height'] as const) : (['x', 'width'] as const);
  let before = box[at] - bounds[at];
  let after = bounds[at] + bounds[length] - box[at] - box[length];
  const partOf = (gap: number): number => Math.max(0, gap - leastGap) * share;
  for (const other of all) {
    if (other === box || overlaps(box, other)) continue;
    if (other[across] >= box[across] + box[breadth] || box[across] >= other[across] + other[breadth]) continue;
    if (other[at] >= box[at] + box[length]) after = Math.min(after, partOf(other[at] - box[at] - box[length]));
    else before = Math.min(before, partOf(box[at] - other[at] - other[length]));
  }
  return {
    ...box,
    [at]: box[at] - Math.max(0, before),
    [length]: box[length] + Math.max(0, before) + Math.max(0, after),
  };
}
