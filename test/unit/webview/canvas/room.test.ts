import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ELK from 'elkjs/lib/elk.bundled.js';
import type { GraphView } from '../../../../protocol/graph-view.ts';
import { toGraphView } from '../../../../server/src/language/to-graph-view.ts';
import { parseEntityGraph } from '../../../../server/src/model/parse-model.ts';
import { type Box, type Point, type Size, overlaps } from '../../../../webview/src/canvas/geometry.ts';
import { createLayouter } from '../../../../webview/src/canvas/layouter.ts';
import { nameBoxes } from '../../../../webview/src/canvas/name-boxes.ts';
import { type Picture, openingOf } from '../../../../webview/src/canvas/picture.ts';
import { keyOf } from '../../../../webview/src/canvas/view-key.ts';
import { type Viewport, fit, openingView } from '../../../../webview/src/canvas/viewport.ts';
import { detailAt } from '../../../../webview/src/canvas/zoom-detail.ts';
import { randomOf } from '../../../support/random.ts';
import { countSoak, soakSeeds } from '../../../support/soak.ts';
import { projectFolder } from '../../../support/vscode-host.ts';
import type { TextMetrics } from '../../../../webview/src/ui/text-metrics.ts';
import { element, graph, purchase, relationship } from '../../../webview/graph-views.ts';
import { randomGraph } from './random-graphs.ts';

/** About as wide as the font of VS Code on average. */
const text: TextMetrics = {
  fontSize: 13,
  lineHeight: 20,
  width: (words, weight) => words.length * (weight === 'bold' ? 7.1 : 6.4),
};

/** What remains for the drawing in a window of 1366 × 768 and of 1920 × 1080 with side bar and palette, and in half of one. */
const small = { width: 797, height: 556 };
const large = { width: 1346, height: 850 };
const half = { width: 640, height: 556 };

type Link = readonly [source: number, target: number];

/** What joins six elements, by their indices. */
const sixElements: Readonly<Record<string, readonly Link[]>> = {
  chain: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ],
  'chain with shortcuts': [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
    [0, 3],
    [2, 5],
  ],
  'two branches': [
    [0, 1],
    [1, 2],
    [2, 3],
    [0, 4],
    [4, 5],
  ],
  tree: [
    [0, 1],
    [0, 2],
    [1, 3],
    [1, 4],
    [2, 5],
  ],
  'branches that meet again': [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
    [3, 4],
    [4, 5],
  ],
  'one in the middle': [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [0, 5],
  ],
  'one that all lead to': [
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 0],
    [5, 0],
  ],
  islands: [],
};

describe('room of the canvas', () => {
  for (const [name, screen, least] of [
    ['northwind', small, 0.8],
    ['northwind', large, 1],
    ['itsm', small, 0.8],
    ['order-to-cash', small, 0.5],
  ] as const) {
    it(`shows all of ${name} at ${least} or more (${screen.width} × ${screen.height})`, async () => {
      const picture = await layOut(await sampleView(name), screen);
      const view = openingView(openingOf(picture), screen);
      assert.ok(view.zoom >= least, String(view.zoom));
      for (const { box } of picture.cards) assertInSight(box, view, screen);
    });
  }

  for (const [shape, links] of Object.entries(sixElements))
    for (const label of ['id = parent_id', 'purchase_order_id = purchase_order_id'])
      it(`shows all of six elements at 0.8 or more: ${shape}, ${label}`, async () => {
        await assertSixInSight(links, label);
      });

  it('shows all of six elements at 0.8 or more, whatever joins them', async () => {
    for (const seed of soakSeeds(12)) {
      countSoak();
      const random = randomOf(seed);
      const tree = [1, 2, 3, 4, 5].map((one): Link => {
        const other = Math.floor(random() * one);
        return random() < 0.5 ? [other, one] : [one, other];
      });
      const [from, to] = [Math.floor(random() * 6), Math.floor(random() * 6)];
      const more: readonly Link[] = from < to ? [[from, to]] : [];
      await assertSixInSight([...tree, ...more], random() < 0.5 ? 'id = parent_id' : 'purchase_order_id = parent_id');
    }
  });

  it('leads lines to the right where a wide panel has room for them', async () => {
    const picture = await layOut(await sampleView('northwind'), large);
    for (const { relationship, lines } of picture.relationships.filter(
      ({ relationship: { source, target } }) => source !== target,
    )) {
      const [start, end] = [lines[0]?.[0], lines.at(-1)?.at(-1)];
      assert.ok(start && end && start.x < end.x, relationship.name);
    }
  });

  for (const [count, screen] of [
    [20, small],
    [20, large],
    [20, half],
    [60, small],
    [60, large],
  ] as const) {
    it(`names all of ${count} elements that are fitted into ${screen.width} × ${screen.height}, and leaves no half empty`, async () => {
      const picture = await layOut(purchase(count), screen);
      const { names, view } = namesOf(picture, screen);
      assert.deepEqual([...names.nameless], []);
      const middle = { x: (screen.width / 2 - view.x) / view.zoom, y: (screen.height / 2 - view.y) / view.zoom };
      for (const [place, isThere] of [
        ['left', (box: Box) => box.x < middle.x],
        ['right', (box: Box) => box.x + box.width > middle.x],
        ['top', (box: Box) => box.y < middle.y],
        ['bottom', (box: Box) => box.y + box.height > middle.y],
      ] as const) {
        const share = picture.cards.filter(({ box }) => isThere(box)).length / count;
        assert.ok(share >= 0.25, `${place}: ${share}`);
      }
    });
  }

  for (const screen of [small, large]) {
    it(`bundles lines by entity type, with whole names of 60 elements (${screen.width} × ${screen.height})`, async () => {
      const types = ['plant', 'material'];
      const picture = await layOut(correlated(purchase(60), types), screen);
      const { names } = namesOf(picture, screen);
      // The legend names the types, too, so that cards come first where there is little room.
      const nameless = [...names.nameless].filter((key) => screen === large || key.startsWith('element:'));
      assert.deepEqual(nameless, []);
      for (const entityType of types) {
        const bundle = picture.correlations.filter(({ link }) => link.entityType === entityType);
        assert.equal(bundle.length, 10);
        // All end in one point, and no two of them run beside each other there.
        assert.equal(new Set(bundle.map(({ points }) => JSON.stringify(points.at(-1)))).size, 1, entityType);
        const apart = bundle.reduce((sum, { points }) => sum + lengthOf(points), 0);
        const drawn = bundle.reduce((sum, { own }) => sum + lengthOf(own), 0);
        assert.ok(drawn < apart * 0.7, `${entityType}: ${drawn} of ${apart}`);
      }
      // Each handle is on a part that only its own line has.
      const handles = picture.correlations.map(({ handle }) => handle);
      for (const [index, handle] of handles.entries())
        for (const other of handles.slice(index + 1))
          assert.ok(!overlaps(handle, other), `${JSON.stringify(handle)} ${JSON.stringify(other)}`);
    });
  }

  it('shows all roots and whole names of random graphs, and covers nothing', async function () {
    this.timeout(0);
    for (const seed of soakSeeds(25)) {
      countSoak();
      const random = randomOf(seed);
      const screen = [small, large, half][seed % 3] ?? small;
      const picture = await layOut(randomGraph(random), screen);
      const area = openingOf(picture);
      const opening = openingView(area, screen);
      if (area.roots) assertInSight(area.roots, opening, screen);
      const { names } = namesOf(picture, screen);
      assert.deepEqual(
        [...names.nameless].filter((key) => key.startsWith('element:')),
        [],
        `seed ${seed}`,
      );
      const boxes = picture.cards.map(({ element: { id }, box }) => names.larger.get(keyOf.element(id)) ?? box);
      for (const [index, box] of boxes.entries())
        for (const other of boxes.slice(index + 1)) assert.ok(!overlaps(box, other), `seed ${seed}`);
    }
  });
});

async function assertSixInSight(links: readonly Link[], label: string): Promise<void> {
  const names = ['Create Request', 'Approve Request', 'Create Order', 'Send Order', 'Receive Goods', 'Pay Invoice'];
  const elements = names.map((name, index) =>
    element(name, index, {
      ...{ dataObject: `purchase_${index}`, startTimestamp: 'created_at', changeTimestamp: 'changed_at' },
      ...{ properties: ['amount', 'plant', 'clerk'] },
      values: { activityName: name, entityType: 'purchase', key: ['id'] },
    }),
  );
  const relationships = links.map(([source, target], index) =>
    relationship(`follows ${index}`, index, { source: names[source] ?? '', target: names[target] ?? '', label }),
  );
  const picture = await layOut(graph(elements, relationships), small);
  const view = openingView(openingOf(picture), small);
  assert.ok(view.zoom >= 0.8, `${view.zoom}: ${JSON.stringify(links)}`);
  assertInSight(picture.bounds, view, small);
  const labels = picture.relationships.map(({ labelBox }) => labelBox);
  const boxes = [...picture.cards.map(({ box }) => box), ...labels];
  for (const [index, box] of boxes.entries())
    for (const other of boxes.slice(index + 1)) assert.ok(!overlaps(box, other), JSON.stringify(links));
}

/** Every third element is also about one of these entity types, which have no card. */
function correlated(view: GraphView, types: readonly string[]): GraphView {
  const elements = view.elements.map((card, index) =>
    card.isMasterData || index % 3 > 0
      ? card
      : {
          ...card,
          values: { ...card.values, correlatesWith: [{ entityType: types[index % types.length] ?? '', key: ['ref'] }] },
        },
  );
  return { ...view, elements };
}

function lengthOf(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, { x, y }, index) => {
    const before = points[index] ?? { x, y };
    return sum + Math.hypot(x - before.x, y - before.y);
  }, 0);
}

function namesOf(picture: Picture, screen: Size) {
  const view = fit(picture.bounds, screen);
  const names = nameBoxes(picture, view.zoom, detailAt(view.zoom, true), text);
  return { view, names: names ?? { larger: new Map<string, Box>(), nameless: new Set<string>() } };
}

function assertInSight({ x, y, width, height }: Box, view: Viewport, screen: Size): void {
  const [left, top] = [view.x + x * view.zoom, view.y + y * view.zoom];
  const isSeen =
    left >= 0 && top >= 0 && left + width * view.zoom <= screen.width && top + height * view.zoom <= screen.height;
  assert.ok(isSeen, JSON.stringify({ left, top, width, height, view, screen }));
}

async function sampleView(name: string): Promise<GraphView> {
  const text = await readFile(join(projectFolder, `samples/${name}/${name}.entity.yaml`), 'utf8');
  return toGraphView(parseEntityGraph(text), { uri: `file:///${name}.entity.yaml`, version: 1 });
}

function layOut(view: GraphView, screen: Size): Promise<Picture> {
  const elk = new ELK();
  return new Promise((resolve, reject) => {
    const layouter = createLayouter({ layout: (graph) => elk.layout(structuredClone(graph)) }, text, {
      onPicture: (picture, failure) => (failure === undefined ? resolve(picture) : reject(new Error(failure))),
      onChosen: () => undefined,
    });
    layouter.show(view, screen, { again: false, collapsed: new Set() });
  });
}
