import assert from 'node:assert/strict';
import ELK from 'elkjs/lib/elk.bundled.js';
import type { GraphView } from '../../../../protocol/graph-view.ts';
import { type Box, type Point, crosses, overlaps } from '../../../../webview/src/canvas/geometry.ts';
import { type Layouter, createLayouter } from '../../../../webview/src/canvas/layouter.ts';
import type { Picture } from '../../../../webview/src/canvas/picture.ts';
import { plainTextMetrics } from '../plain-text-metrics.ts';
import { randomElement, randomGraph, randomName, randomRelationship } from './random-graphs.ts';
import { type Random, pick, randomOf } from '../../../support/random.ts';
import { countSoak, isSoak, soakSeeds } from '../../../support/soak.ts';

const editsOfEach = 4;
const screens = [
  { width: 1000, height: 640 },
  { width: 640, height: 724 },
];

describe('lines and labels', () => {
  it(`cover nothing, in random graphs and after each of ${editsOfEach} edits`, async function () {
    this.timeout(isSoak ? 0 : 600_000);
    const found: string[] = [];
    let graphs = 0;
    for (const seed of soakSeeds(20)) {
      graphs += 1;
      const random = randomOf(seed);
      const canvas = openCanvas(pick(random, screens));
      let view = randomGraph(random);
      const steps = ['the first layout'];
      let picture = await canvas.show(view);
      for (let count = 0; ; count += 1) {
        const wrong = overlapsIn(picture, canvas.placed);
        if (wrong.length > 0) found.push(`seed ${seed}, ${steps.join(', ')}: ${wrong.join('; ')}`);
        if (wrong.length > 0 || count === editsOfEach) break;
        const edit = pick(random, edits);
        steps.push(edit.name);
        [view, picture] = await edit(random, view, picture, canvas);
      }
    }
    countSoak(graphs);
    assert.deepEqual(found.slice(0, 8), [], `${found.length} of ${graphs} graphs`);
  });
});

interface Canvas {
  readonly layouter: Layouter;
  /** Elements that the person placed. */
  readonly placed: Set<string>;
  /** The picture of the next change. */
  next(change: () => void): Promise<Picture>;
  show(view: GraphView, again?: boolean): Promise<Picture>;
}

/** The canvas without its page: real ELK, layouter, router and picture. */
function openCanvas(screen: { readonly width: number; readonly height: number }): Canvas {
  let told: ((picture: Picture) => void) | undefined;
  const elk = new ELK();
  const layouter = createLayouter({ layout: (graph) => elk.layout(structuredClone(graph)) }, plainTextMetrics, {
    onPicture(picture, failure) {
      assert.equal(failure, undefined);
      told?.(picture);
    },
    onChosen: () => undefined,
  });
  const next = (change: () => void): Promise<Picture> =>
    new Promise((resolve) => {
      told = resolve;
      change();
    });
  const placed = new Set<string>();
  const collapsed = new Set<string>();
  return {
    layouter,
    placed,
    next,
    show: (view, again = false) => next(() => layouter.show(view, screen, { again, collapsed })),
  };
}

type Edit = (random: Random, view: GraphView, picture: Picture, canvas: Canvas) => Promise<[GraphView, Picture]>;

const edits: readonly Edit[] = [
  async function drag(random, view, picture, { layouter, placed, next }) {
    const { element, box } = pick(random, picture.cards);
    const way = { x: (random() - 0.5) * 900, y: (random() - 0.5) * 700 };
    let last = picture;
    for (const share of [0.3, 0.6, 1]) {
      const corner = { x: Math.round(box.x + way.x * share), y: Math.round(box.y + way.y * share) };
      placed.add(element.id);
      last = await next(() => layouter.move(new Map([[element.id, corner]]), share < 1));
      assert.deepEqual(cornerOf(last, element.id), corner, 'the card is where it was put');
    }
    return [view, last];
  },
  async function bury(random, view, picture, { layouter, placed, next }) {
    const boxes = new Map(picture.cards.map(({ element, box }) => [element.id, box]));
    const ends = view.relationships.flatMap(({ source = '', target = '' }) => {
      const [from, to] = [boxes.get(source), boxes.get(target)];
      return from && to && source !== target ? [{ moved: source, from, to }] : [];
    });
    if (ends.length === 0) return [view, picture];
    const { moved, from, to } = pick(random, ends);
    const aside = (room: number): number => Math.round((random() - 0.5) * room);
    const corner = {
      x: to.x + Math.round((to.width - from.width) / 2) + aside(80),
      y: to.y + Math.round((to.height - from.height) / 2) + aside(40),
    };
    placed.add(moved);
    return [view, await next(() => layouter.move(new Map([[moved, corner]])))];
  },
  async function drop(random, view, picture, { layouter, placed, show }) {
    const name = randomName(random, namesOf(view));
    const at = {
      x: Math.round(picture.bounds.x + random() * picture.bounds.width),
      y: Math.round(picture.bounds.y + random() * picture.bounds.height),
    };
    layouter.expectAt(at);
    placed.add(name);
    const more = { ...view, elements: [...view.elements, randomElement(random, name)] };
    const shown = await show(more);
    const box = shown.cards.find(({ element }) => element.id === name)?.box;
    assert.ok(box && Math.abs(box.x + box.width / 2 - at.x) < 1 && Math.abs(box.y + box.height / 2 - at.y) < 1);
    return [more, shown];
  },
  async function addElement(random, view, _picture, { show }) {
    const more = { ...view, elements: [...view.elements, randomElement(random, randomName(random, namesOf(view)))] };
    return [more, await show(more)];
  },
  async function relate(random, view, _picture, { show }) {
    const name = `new ${Math.max(-1, ...view.relationships.map(({ id }) => Number(id.split(' ')[1]))) + 1}`;
    const link = randomRelationship(random, name, namesOf(view), random() < 0.7);
    const more = { ...view, relationships: [...view.relationships, link] };
    return [more, await show(more)];
  },
  async function rename(random, view, _picture, { placed, show }) {
    const { id: old } = pick(random, view.elements);
    const id = randomName(random, namesOf(view), ' at the Second Attempt');
    if (placed.delete(old)) placed.add(id);
    const changed = {
      ...view,
      elements: view.elements.map((each) => (each.id === old ? { ...each, id, activityName: id } : each)),
      relationships: view.relationships.map((link) => ({
        ...link,
        ...(link.source === old ? { source: id } : {}),
        ...(link.target === old ? { target: id } : {}),
      })),
    };
    return [changed, await show(changed)];
  },
  async function configure(random, view, _picture, { show }) {
    const { id } = pick(random, view.elements);
    const changed = {
      ...view,
      elements: view.elements.map((each) => (each.id === id ? randomElement(random, id) : each)),
    };
    return [changed, await show(changed)];
  },
  async function remove(random, view, _picture, { show }) {
    if (view.elements.length < 2) return [view, await show(view)];
    const { id } = pick(random, view.elements);
    const less = {
      ...view,
      elements: view.elements.filter((each) => each.id !== id),
      relationships: view.relationships.filter(({ source, target }) => source !== id && target !== id),
    };
    return [less, await show(less)];
  },
  async function arrangeAgain(_random, view, _picture, { layouter, placed, show }) {
    layouter.choose({ elements: {} });
    placed.clear();
    return [view, await show(view, true)];
  },
];

function namesOf({ elements }: GraphView): readonly string[] {
  return elements.map(({ id }) => id);
}

function cornerOf({ cards }: Picture, id: string): Point | undefined {
  const box = cards.find(({ element }) => element.id === id)?.box;
  return box && { x: box.x, y: box.y };
}

/** Everything that covers something else, but for cards on cards that a person placed, and what cannot be avoided there. */
function overlapsIn(
  { cards, relationships, correlations, types }: Picture,
  placed: ReadonlySet<string>,
): readonly string[] {
  const found: string[] = [];
  const covered = new Set<string>();
  for (const [index, one] of cards.entries()) {
    for (const other of cards.slice(index + 1)) {
      if (!overlaps(one.box, other.box)) continue;
      covered.add(one.element.id).add(other.element.id);
      if (![one, other].some(({ element }) => placed.has(element.id)))
        found.push(`card ${one.element.id} on card ${other.element.id}`);
    }
  }
  const labels: (readonly [string, Box])[] = [];
  for (const { relationship, labelBox, missingEnds } of relationships) {
    labels.push([`label of ${relationship.id}`, labelBox]);
    for (const box of missingEnds) labels.push([`end of ${relationship.id}`, box]);
  }
  for (const { entityType, box } of types) labels.push([`type ${entityType}`, box]);
  for (const [index, [name, box]] of labels.entries()) {
    for (const { element, box: card } of cards) if (overlaps(box, card)) found.push(`${name} on card ${element.id}`);
    for (const [other, otherBox] of labels.slice(index + 1))
      if (overlaps(box, otherBox)) found.push(`${name} on ${other}`);
  }
  const links = [
    ...relationships.map(({ relationship: { id, source, target }, lines }) => ({
      ...{ line: id, own: [source, target], lines, ownLabels: [`label of ${id}`, `end of ${id}`] },
    })),
    ...correlations.map(({ link, points }) => ({
      ...{ line: `correlation ${link.id}`, own: [link.source, link.target], lines: [points] },
      ownLabels: [`type ${link.entityType}`],
    })),
  ];
  for (const { line, own, lines, ownLabels } of links) {
    // A line cannot leave a card that lies under another one without crossing it.
    const isBuried = own.some((id) => id !== undefined && covered.has(id));
    for (const points of lines) {
      for (const [name, box] of labels)
        if (!ownLabels.includes(name))
          for (const [index, end] of points.slice(1).entries())
            if (crosses(box, points[index] ?? end, end)) found.push(`line of ${line} under ${name}`);
      if (points.length < 2) found.push(`no line of ${line}`);
      for (const [index, end] of points.slice(1).entries()) {
        const start = points[index] ?? end;
        for (const { element, box } of cards) {
          if (own.includes(element.id) || !crosses(box, start, end)) continue;
          if (!(isBuried && covered.has(element.id))) found.push(`line of ${line} through ${element.id}`);
        }
      }
    }
  }
  return found;
}
