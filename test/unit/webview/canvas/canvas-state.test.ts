import assert from 'node:assert/strict';
import { type CanvasState, firstState, withGraph } from '../../../../webview/src/canvas/canvas-state.ts';
import type { Picture, PlacedCard } from '../../../../webview/src/canvas/picture.ts';
import { showPicture } from '../../../../webview/src/canvas/show-picture.ts';
import { element, graph, lineRange } from '../../../webview/graph-views.ts';

const viewport = { x: 0, y: 0, zoom: 1 };
const good = graph([element('Pay', 1)]);
const syntaxError = { message: 'A bracket is not closed.', range: lineRange(3) };
const broken = graph([], [], { version: 2, syntaxError });

describe('canvas state, new graph', () => {
  const cases: readonly (readonly [string, CanvasState, typeof good, CanvasState])[] = [
    [
      'is taken',
      { ...firstState, viewport, grid: false },
      good,
      { ...firstState, viewport, grid: false, stale: undefined, view: good },
    ],
    [
      'that cannot be read: the last readable one stays, with a warning',
      { ...firstState, viewport, grid: false, view: good },
      broken,
      { ...firstState, viewport, grid: false, view: good, stale: syntaxError },
    ],
    [
      'that cannot be read is shown when there is no earlier one',
      { ...firstState, viewport, grid: false },
      broken,
      { ...firstState, viewport, grid: false, view: broken, stale: syntaxError },
    ],
    [
      'that can be read again removes the warning',
      { ...firstState, viewport, grid: true, view: good, stale: syntaxError },
      good,
      { ...firstState, viewport, grid: true, stale: undefined, view: good },
    ],
  ];
  for (const [what, before, view, after] of cases) {
    it(what, () => assert.deepEqual(withGraph(before, view), after));
  }
});

describe('canvas state, new layout', () => {
  const size = { width: 1000, height: 600 };
  const before: CanvasState = {
    ...firstState,
    viewport,
    grid: false,
    picture: pictureOf({ a: [0, 0], b: [400, 200] }),
    selected: 'element:a',
  };
  const after = pictureOf({ a: [30, 40], b: [500, 500] });

  it('keeps the selected card in place', () => {
    const shown = showPicture(before, after, { size, fit: false, anew: true });
    assert.deepEqual([shown.viewport, shown.selected], [{ x: -30, y: -40, zoom: 1 }, 'element:a']);
  });

  it('keeps the central card in place without a selection', () => {
    const { selected: _selected, ...unselected } = before;
    assert.deepEqual(showPicture(unselected, after, { size, fit: false, anew: true }).viewport, {
      x: -100,
      y: -300,
      zoom: 1,
    });
  });

  it('clears the selection of removed elements', () => {
    const shown = showPicture(before, pictureOf({ b: [400, 200] }), { size, fit: false, anew: true });
    assert.deepEqual([shown.viewport, shown.selected], [viewport, undefined]);
  });

  it('fits the first layout to the viewport', () => {
    assert.deepEqual(showPicture(before, after, { size, fit: true, anew: true }).viewport, { x: 185, y: 5, zoom: 1 });
  });
});

function pictureOf(places: Readonly<Record<string, readonly [x: number, y: number]>>): Picture {
  const cards: PlacedCard[] = Object.entries(places).map(([id, [x, y]]) => ({
    element: element(id, 0),
    content: { title: id, unnamed: false, problemLines: 0, size: { width: 100, height: 50 } },
    box: { x, y, width: 100, height: 50 },
    collapsed: false,
  }));
  return { bounds: { x: 30, y: 40, width: 570, height: 510 }, cards, relationships: [], correlations: [], types: [] };
}
