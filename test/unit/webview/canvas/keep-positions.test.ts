import assert from 'node:assert/strict';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { avoidOverlaps } from '../../../../webview/src/canvas/avoid-overlaps.ts';
import { crosses } from '../../../../webview/src/canvas/geometry.ts';
import { keepNodePositions, renamedElements } from '../../../../webview/src/canvas/keep-positions.ts';
import { element } from '../../../webview/graph-views.ts';

const size = { width: 100, height: 50 };
const edge = (id: string, source: string, target: string) => ({
  id,
  sources: [source],
  targets: [target],
  labels: [{ id: `${id}-label`, ...{ width: 20, height: 10 } }],
});

const before: ElkNode = {
  id: 'graph',
  children: [
    { id: 'element:a', ...size, x: 0, y: 0 },
    { id: 'element:b', ...size, x: 300, y: 0 },
  ],
  edges: [
    {
      ...edge('ab', 'element:a', 'element:b'),
      labels: [{ id: 'ab-label', x: 190, y: 20, width: 20, height: 10 }],
      sections: [{ id: 's', startPoint: { x: 100, y: 25 }, endPoint: { x: 300, y: 25 } }],
    },
  ],
};
const cornerOf = (graph: ElkNode, id: string) => {
  const node = graph.children?.find((each) => each.id === id);
  return [node?.x, node?.y];
};

describe('layout of a changed graph', () => {
  it('keeps positions, and places a new element beside related ones without overlap', () => {
    const graph: ElkNode = {
      id: 'graph',
      children: [
        { id: 'element:a', ...size },
        { id: 'element:b', ...size },
        { id: 'element:c', ...size },
        { id: 'element:d', ...size },
      ],
      edges: [edge('ab', 'element:a', 'element:b'), edge('bc', 'element:b', 'element:c')],
    };
    const placed = keepNodePositions(graph, before);
    assert.deepEqual(cornerOf(placed, 'element:a'), [0, 0]);
    assert.deepEqual(cornerOf(placed, 'element:b'), [300, 0]);
    assert.deepEqual(cornerOf(placed, 'element:c'), [640, 0]);
    // Unrelated nodes are below everything.
    assert.deepEqual(cornerOf(placed, 'element:d'), [0, 146]);
    assert.deepEqual(placed.edges?.[0]?.sections, before.edges?.[0]?.sections);
    assert.deepEqual(placed.edges?.[1]?.sections?.[0]?.startPoint, { x: 400, y: 25 });
  });

  it('redraws only lines whose ends moved', () => {
    const placed = keepNodePositions(before, before, new Map([['element:b', { x: 300, y: 200 }]]));
    assert.deepEqual(cornerOf(placed, 'element:a'), [0, 0]);
    assert.deepEqual(cornerOf(placed, 'element:b'), [300, 200]);
    const [section] = placed.edges?.[0]?.sections ?? [];
    assert.deepEqual(section?.startPoint, { x: 100, y: 25 });
    assert.deepEqual(section?.bendPoints, [{ x: 350, y: 25 }]);
    assert.deepEqual(section?.endPoint, { x: 350, y: 200 });
  });

  it('moves a cross table with its two elements', () => {
    const bridge: ElkNode = {
      id: 'graph',
      children: [...(before.children ?? []), { id: 'cross:x', width: 40, height: 20, x: 180, y: 15 }],
      edges: [edge('1', 'element:a', 'cross:x'), edge('2', 'cross:x', 'element:b')],
    };
    const placed = keepNodePositions(bridge, bridge, new Map([['element:b', { x: 300, y: 200 }]]));
    assert.deepEqual(cornerOf(placed, 'cross:x'), [180, 115]);
  });
});

describe('line between cards', () => {
  const cards = [
    { id: 'a', x: 0, y: 0, ...size },
    { id: 'b', x: 300, y: 0, ...size },
  ];
  const routed = (children: ElkNode[], ...edges: ReturnType<typeof edge>[]) =>
    avoidOverlaps({ id: 'graph', children, edges }).edges?.map(({ sections, labels }) => ({
      points: sections?.flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint]),
      label: [labels?.[0]?.x, labels?.[0]?.y],
    }));

  it('runs straight between the middles of two sides, with its label in the middle', () => {
    const line = {
      points: [
        { x: 100, y: 25 },
        { x: 300, y: 25 },
      ],
      label: [190, 20],
    };
    assert.deepEqual(routed(cards, edge('e', 'a', 'b')), [line]);
  });
  it('goes around a card between its ends, at right angles', () => {
    const between = { id: 'c', x: 160, y: 0, width: 60, height: 60 };
    const [line] = routed([...cards, between], edge('e', 'a', 'b')) ?? [];
    assert.deepEqual(line?.points, [
      { x: 50, y: 0 },
      { x: 50, y: -14 },
      { x: 350, y: -14 },
      { x: 350, y: 0 },
    ]);
    assert.deepEqual(line?.label, [190, -19]);
  });
  it('keeps apart from a parallel line', () => {
    const lines = routed(cards, edge('e', 'a', 'b'), edge('f', 'b', 'a')) ?? [];
    assert.equal(new Set(lines.map(({ label }) => label.join())).size, 2);
    assert.equal(
      lines[0]?.points?.some(({ y }) => lines[1]?.points?.some((other) => other.y === y)),
      false,
    );
  });
  it('loops below a card, where its label has room', () => {
    const [loop] = routed(cards, edge('e', 'a', 'a')) ?? [];
    assert.deepEqual(loop?.label, [40, 70]);
  });
  it('crosses a card that covers one of its ends', () => {
    const above = { id: 'c', x: -10, y: -10, width: 150, height: 80 };
    const [line] = routed([...cards, above], edge('e', 'a', 'b')) ?? [];
    assert.deepEqual(line?.points, [
      { x: 100, y: 25 },
      { x: 300, y: 25 },
    ]);
  });
  it('leaves a card that lies under the other end, and avoids the labels around', () => {
    const nodes = [
      { id: 'a', x: 20, y: 40, ...size },
      { id: 'b', x: 0, y: 0, width: 300, height: 200 },
      { id: 'c', x: 60, y: -200, ...size },
    ];
    const [line, other] = routed(nodes, edge('e', 'a', 'b'), edge('f', 'c', 'a')) ?? [];
    const points = line?.points ?? [];
    assert.deepEqual(
      points.slice(1).filter(({ x, y }, index) => x !== points[index]?.x && y !== points[index]?.y),
      [],
      'all parts are level or upright',
    );
    const [x = 0, y = 0] = other?.label ?? [];
    for (const [index, end] of points.slice(1).entries())
      assert.ok(!crosses({ x, y, width: 20, height: 10 }, points[index] ?? end, end), 'no part lies under a label');
  });
});

describe('renamed elements', () => {
  it('are recognised by equal positions and a removed old name', () => {
    const view = (...names: string[]) => names.map((name) => element(name, 1, { dataObject: 't' }));
    assert.deepEqual([...renamedElements(view('a', 'b'), view('a', 'c'))], [['c', 'b']]);
    assert.deepEqual([...renamedElements(view('a', 'b'), view('b', 'a'))], []);
    assert.deepEqual([...renamedElements(view('a', 'b'), view('a'))], []);
  });
});
