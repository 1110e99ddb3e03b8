import assert from 'node:assert/strict';
import ELK from 'elkjs/lib/elk.bundled.js';
import type { GraphView } from '../../../../protocol/graph-view.ts';
import { layoutInRows, toElkGraph } from '../../../../webview/src/canvas/layout.ts';
import { layoutOptions } from '../../../../webview/src/canvas/layout-options.ts';
import { type Box, boxAround } from '../../../../webview/src/canvas/geometry.ts';
import { type Picture, toPicture } from '../../../../webview/src/canvas/picture.ts';
import { element, graph, largeGraph, orders, relationship } from '../../../webview/graph-views.ts';
import { plainTextMetrics } from '../plain-text-metrics.ts';

const small = graph(
  [element('Place Order', 1), element('Pay', 2)],
  [
    relationship('is paid', 3, { source: 'Place Order', target: 'Pay', label: 'id = order_id' }),
    relationship('bundles', 4, { source: 'Place Order', target: 'Pay', label: '', crossTable: 'bundle' }),
    relationship('follows', 5, {
      source: 'Pay',
      target: 'gone',
      label: '',
      draft: {
        message: 'Relationship "follows" is a draft: it has no target. Name it.',
        problem: 'It has no target.',
        remedy: 'Name it.',
      },
    }),
  ],
);

describe('ELK graph', () => {
  it('has nodes for elements, cross tables and missing ends, and edges between them', () => {
    const { children, edges, layoutOptions: options } = toElkGraph(small, plainTextMetrics, 1.6);
    assert.deepEqual(options, layoutOptions(4, 1.6));
    assert.deepEqual(children, [
      { id: 'element:Place Order', width: 220, height: 38 },
      { id: 'element:Pay', width: 220, height: 38 },
      { id: 'cross:bundles', width: 80, height: 50 },
      { id: 'missing-target:follows', width: 24, height: 24 },
    ]);
    const inline = { 'elk.edgeLabels.inline': 'true' };
    assert.deepEqual(edges, [
      {
        id: 'relationship:is paid',
        sources: ['element:Place Order'],
        targets: ['element:Pay'],
        labels: [{ id: 'label:is paid', text: 'is paid', width: 103, height: 42, layoutOptions: inline }],
      },
      { id: 'relationship-1:bundles', sources: ['element:Place Order'], targets: ['cross:bundles'] },
      { id: 'relationship-2:bundles', sources: ['cross:bundles'], targets: ['element:Pay'] },
      {
        id: 'relationship:follows',
        sources: ['element:Pay'],
        targets: ['missing-target:follows'],
        labels: [{ id: 'label:follows', text: 'follows', width: 131, height: 42, layoutOptions: inline }],
      },
    ]);
  });

  it('has the same objects for entries that have not changed, so that an edit compares little', () => {
    const before = toElkGraph(small, plainTextMetrics, 1.6);
    const [first, ...rest] = small.elements;
    const renamed = { ...small, elements: [element('Order', 1), ...rest] };
    const after = toElkGraph(renamed, plainTextMetrics, 1.6);
    const same = <T>(one: readonly T[] = [], other: readonly T[] = []) => one.filter((each) => other.includes(each));
    assert.equal(first?.id, 'Place Order');
    assert.deepEqual(
      same(after.children, before.children).map(({ id }) => id),
      ['element:Pay', 'missing-target:follows'],
    );
    // The other relationships have other ends now.
    assert.deepEqual(
      same(after.edges, before.edges).map(({ id }) => id),
      ['relationship:follows'],
    );
    assert.deepEqual(
      after.edges?.map(({ sources }) => sources[0]),
      ['missing-source:is paid', 'missing-source:bundles', 'cross:bundles', 'element:Pay'],
    );
  });

  it('uses faster options for a large graph', () => {
    assert.equal(layoutOptions(20, 1)['elk.edgeRouting'], 'ORTHOGONAL');
    assert.equal(layoutOptions(1000, 1)['elk.edgeRouting'], 'POLYLINE');
  });
});

const graphs: readonly (readonly [string, GraphView])[] = [
  ['small', small],
  ['with everything', orders],
  ['of one element', graph([element('Alone', 0)])],
  ['of 60 elements', largeGraph(60)],
];

/** ELK works in its input; the worker of the page gets a copy. */
describe('ELK layout', () => {
  for (const [name, view] of graphs) {
    it(name, async () => {
      const placed = await new ELK().layout(structuredClone(toElkGraph(view, plainTextMetrics, 1.6)));
      checkPicture(toPicture(view, placed, plainTextMetrics), view);
    });
  }

  it('lists cards column by column', async () => {
    const placed = await new ELK().layout(structuredClone(toElkGraph(orders, plainTextMetrics, 1.6)));
    const names = toPicture(orders, placed, plainTextMetrics).cards.map(({ content }) => content.title);
    assert.deepEqual(names.slice(0, 2).toSorted(), ['Hire Employee', 'Win Customer']);
    assert.equal(names.at(-1), 'Add Order Line');
  });

  it('is empty without nodes', () => {
    const bounds = { x: 0, y: 0, width: 0, height: 0 };
    assert.deepEqual(toPicture(small, { id: 'graph' }, plainTextMetrics), {
      bounds,
      cards: [],
      relationships: [],
      correlations: [],
      types: [],
    });
  });
});

describe('row layout', () => {
  for (const [name, view] of graphs) {
    it(name, () => {
      const placed = layoutInRows(toElkGraph(view, plainTextMetrics, 1.6));
      checkPicture(toPicture(view, placed, plainTextMetrics), view);
    });
  }
});

/**
 * Everything has a position, no card covers another, and every line runs from an edge of its source to one of its
 * target.
 */
function checkPicture({ cards, relationships, bounds }: Picture, view: GraphView): void {
  assert.equal(cards.length, view.elements.length);
  assert.equal(relationships.length, view.relationships.length);
  assert.deepEqual(boxAround([bounds, ...cards.map(({ box }) => box)]), bounds);
  for (const [index, { box, element: one }] of cards.entries()) {
    for (const other of cards.slice(index + 1)) {
      assert.ok(!overlap(box, other.box), `${one.id} covers ${other.element.id}`);
    }
  }
  const boxOf = (id: string | undefined): Box | undefined => cards.find((card) => card.element.id === id)?.box;
  for (const { relationship: link, lines, missingEnds } of relationships) {
    const [source, target] = [boxOf(link.source), boxOf(link.target)];
    assert.equal(lines.length, link.crossTable === undefined ? 1 : 2);
    assert.equal(missingEnds.length, [source, target].filter((end) => end === undefined).length);
    const [start, end] = [lines[0]?.[0], lines.at(-1)?.at(-1)];
    if (source) assert.ok(start && touches(source, start), `${link.id} does not leave its source`);
    if (target) assert.ok(end && touches(target, end), `${link.id} does not reach its target`);
  }
}

function overlap(one: Box, other: Box): boolean {
  const aside = one.x >= other.x + other.width || other.x >= one.x + one.width;
  return !aside && one.y < other.y + other.height && other.y < one.y + one.height;
}

function touches(box: Box, { x, y }: { x: number; y: number }): boolean {
  const inside = (value: number, start: number, length: number) => value >= start - 1 && value <= start + length + 1;
  return inside(x, box.x, box.width) && inside(y, box.y, box.height);
}
