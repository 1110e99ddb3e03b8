import assert from 'node:assert/strict';
import { findRoute } from '../../../../webview/src/canvas/find-route.ts';
import { type Box, crosses, overlaps } from '../../../../webview/src/canvas/geometry.ts';
import { type Random, randomOf } from '../../../support/random.ts';

const source: Box = { x: 0, y: 200, width: 100, height: 100 };
const target: Box = { x: 400, y: 200, width: 100, height: 100 };

describe('findRoute', () => {
  it('does not cross a box that lies just outside of the area in which it first looks', () => {
    const wall: Box = { x: 200, y: 30, width: 40, height: 900 };
    const above: Box = { x: 120, y: -400, width: 200, height: 425 };
    assert.deepEqual(crossed([wall, above]), []);
  });

  it('crosses no box, in random sets of boxes', () => {
    const wrong: number[] = [];
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomOf(seed);
      const boxes = Array.from({ length: 14 }, () => randomBox(random)).filter(
        (box) => !overlaps(box, source, 20) && !overlaps(box, target, 20),
      );
      if (crossed(boxes).length > 0) wrong.push(seed);
    }
    assert.deepEqual(wrong, []);
  });
});

/** The boxes that the route from `source` to `target` crosses; as on the canvas, it is told of boxes by area. */
function crossed(boxes: readonly Box[]): readonly Box[] {
  const route = findRoute(source, target, {
    margin: 14,
    linesIn: () => [],
    obstaclesIn: (area) => boxes.filter((box) => overlaps(box, area)),
  });
  const parts = (route ?? []).slice(1).map((end, index) => [route?.[index] ?? end, end] as const);
  return boxes.filter((box) => parts.some(([start, end]) => crosses(box, start, end)));
}

function randomBox(random: Random): Box {
  return {
    x: Math.round((random() - 0.3) * 900),
    y: Math.round((random() - 0.5) * 1200),
    width: 40 + Math.round(random() * 200),
    height: 40 + Math.round(random() * 400),
  };
}
