import assert from 'node:assert/strict';
import type { Box } from '../../../../webview/src/canvas/geometry.ts';
import { fit, follow, openingView, pan, resized, reveal, zoomAt } from '../../../../webview/src/canvas/viewport.ts';

const screen = { width: 1000, height: 600 };

describe('viewport', () => {
  it('zooms around a fixed point', () => {
    const viewport = { x: 100, y: 50, zoom: 1 };
    const zoomed = zoomAt(viewport, 2, { x: 300, y: 250 });
    assert.deepEqual(zoomed, { x: -100, y: -150, zoom: 2 });
    // The canvas point under (300, 250) is (200, 200), before and after.
    assert.deepEqual([zoomed.x + 200 * 2, zoomed.y + 200 * 2], [300, 250]);
  });

  it('stops at the zoom limits without drifting', () => {
    const viewport = { x: 10, y: 20, zoom: 2 };
    assert.deepEqual(zoomAt(viewport, 1.25, { x: 400, y: 300 }), viewport);
    assert.equal(zoomAt(viewport, 0.001, { x: 0, y: 0 }).zoom, 0.1);
  });

  it('centres a small drawing at 100 %', () => {
    assert.deepEqual(fit({ x: 0, y: 0, width: 400, height: 200 }, screen), { x: 300, y: 200, zoom: 1 });
    assert.deepEqual(fit({ x: 100, y: 100, width: 400, height: 200 }, screen), { x: 200, y: 100, zoom: 1 });
  });

  it('shrinks a large drawing to fit', () => {
    assert.deepEqual(fit({ x: 0, y: 0, width: 1904, height: 200 }, screen), { x: 24, y: 250, zoom: 0.5 });
  });

  it('opens with the whole of a graph while it is readable, or little smaller than its roots', () => {
    const bounds = { x: 0, y: 0, width: 1100, height: 500 };
    assert.equal(openingView({ bounds }, screen).zoom, fit(bounds, screen).zoom);
    assert.equal(openingView({ bounds }, { width: 500, height: 720 }).zoom, 0.9);
    const all = { ...bounds, width: 4000 };
    assert.deepEqual(openingView({ bounds: all, roots: { ...all, width: 3900 } }, screen), fit(all, screen));
  });

  const large = { x: 0, y: 0, width: 4000, height: 3000 };
  const openings: readonly (readonly [string, Box | undefined, readonly [number, number, number]])[] = [
    ['shows the start of a large graph without roots', undefined, [24, 24, 0.9]],
    [
      'shows the start of a large graph that has its roots there',
      { x: 50, y: 80, width: 220, height: 90 },
      [24, 24, 0.9],
    ],
    ['scrolls to roots elsewhere, no further', { x: 3000, y: 700, width: 220, height: 90 }, [-1922, -135, 0.9]],
    ['shows all roots, also at a smaller zoom', { x: 0, y: 0, width: 220, height: 1104 }, [24, 24, 0.5]],
  ];
  for (const [what, roots, [x, y, zoom]] of openings)
    it(what, () => assert.deepEqual(openingView({ bounds: large, roots }, screen), { x, y, zoom }));

  it('supports a zero-size screen', () => {
    assert.equal(fit({ x: 0, y: 0, width: 400, height: 200 }, { width: 0, height: 0 }).zoom, 0.1);
  });

  it('reveals by the shortest move', () => {
    const viewport = { x: 0, y: 0, zoom: 1 };
    const size = { width: 200, height: 100 };
    const moved: readonly (readonly [x: number, y: number, newX: number, newY: number])[] = [
      [100, 100, 0, 0],
      [-50, 100, 66, 0],
      [900, 550, -116, -66],
    ];
    for (const [x, y, newX, newY] of moved) {
      assert.deepEqual(reveal(viewport, { x, y, ...size }, screen), { x: newX, y: newY, zoom: 1 });
    }
  });

  it('keeps a fitted drawing fitted when the screen shrinks', () => {
    const bounds = { x: 0, y: 0, width: 400, height: 400 };
    const lower = { width: 1000, height: 300 };
    const centred = fit(bounds, screen);
    assert.deepEqual(resized(centred, { bounds }, screen, lower), openingView({ bounds }, lower));
    // A chosen view stays, and what is visible anyway does not move.
    const near = { x: -100, y: 0, zoom: 2 };
    assert.deepEqual(resized(near, { bounds }, screen, lower), near);
    assert.deepEqual(resized(centred, { bounds }, screen, { width: 900, height: 600 }), centred);
  });

  it('follows moved content', () => {
    assert.deepEqual(follow({ x: 0, y: 0, zoom: 0.5 }, { x: 100, y: 100 }, { x: 300, y: 60 }), {
      x: -100,
      y: 20,
      zoom: 0.5,
    });
    assert.deepEqual(pan({ x: 1, y: 2, zoom: 1 }, { x: 3, y: 4 }), { x: 4, y: 6, zoom: 1 });
  });
});
