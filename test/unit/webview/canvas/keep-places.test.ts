import assert from 'node:assert/strict';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { keepPlaces } from '../../../../webview/src/canvas/keep-places.ts';
import { renamedElements } from '../../../../webview/src/canvas/renamed-elements.ts';
import { routeEdge } from '../../../../webview/src/canvas/route-edge.ts';
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
    const placed = keepPlaces(graph, before);
    assert.deepEqual(cornerOf(placed, 'element:a'), [0, 0]);
    assert.deepEqual(cornerOf(placed, 'element:b'), [300, 0]);
    assert.deepEqual(cornerOf(placed, 'element:c'), [640, 0]);
    // Unrelated nodes are below everything.
    assert.deepEqual(cornerOf(placed, 'element:d'), [0, 146]);
    assert.deepEqual(placed.edges?.[0]?.sections, before.edges?.[0]?.sections);
    assert.deepEqual(placed.edges?.[1]?.sections?.[0]?.startPoint, { x: 400, y: 25 });
  });

  it('redraws only lines whose ends moved', () => {
    const placed = keepPlaces(before, before, new Map([['element:b', { x: 300, y: 200 }]]));
    assert.deepEqual(cornerOf(placed, 'element:a'), [0, 0]);
    assert.deepEqual(cornerOf(placed, 'element:b'), [300, 200]);
    const [section] = placed.edges?.[0]?.sections ?? [];
    assert.equal(section?.startPoint.y, 50);
    assert.equal(section?.endPoint.y, 200);
  });

  it('moves a cross table with its two elements', () => {
    const bridge: ElkNode = {
      id: 'graph',
      children: [...(before.children ?? []), { id: 'cross:x', width: 40, height: 20, x: 180, y: 15 }],
      edges: [edge('1', 'element:a', 'cross:x'), edge('2', 'cross:x', 'element:b')],
    };
    const placed = keepPlaces(bridge, bridge, new Map([['element:b', { x: 300, y: 200 }]]));
    assert.deepEqual(cornerOf(placed, 'cross:x'), [180, 115]);
  });
});

describe('line between cards', () => {
  const boxes = new Map([
    ['a', { x: 0, y: 0, ...size }],
    ['b', { x: 300, y: 0, ...size }],
  ]);
  it('starts and ends at card edges, with its label in the middle', () => {
    const { sections, labels } = routeEdge(edge('e', 'a', 'b'), boxes);
    assert.deepEqual(
      [sections?.[0]?.startPoint, sections?.[0]?.endPoint],
      [
        { x: 100, y: 25 },
        { x: 300, y: 25 },
      ],
    );
    assert.deepEqual([labels?.[0]?.x, labels?.[0]?.y], [190, 20]);
  });
  it('bends away from parallel lines, to the same side in both directions', () => {
    const [one, other] = [routeEdge(edge('e', 'a', 'b'), boxes, 1), routeEdge(edge('e', 'b', 'a'), boxes, 1)];
    assert.deepEqual(one.sections?.[0]?.bendPoints, other.sections?.[0]?.bendPoints);
    const opposite = routeEdge(edge('e', 'a', 'b'), boxes, 2);
    assert.ok((one.labels?.[0]?.y ?? 0) > 20 && (opposite.labels?.[0]?.y ?? 0) < 20);
  });
  it('loops below a card', () => {
    const bends = routeEdge(edge('e', 'a', 'a'), boxes).sections?.[0]?.bendPoints ?? [];
    assert.ok(bends.every(({ y }) => y > 50));
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
