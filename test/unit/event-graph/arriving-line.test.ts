import assert from 'node:assert/strict';
import { arrivingLine } from '../../../server/src/event-graph/arriving-line.ts';

const box = { x: 100, y: 100, width: 80, height: 40 };
const node = { activity: 'A', count: 1, events: 1, starts: 0, ends: 0 };
const map = {
  isCurved: true,
  width: 300,
  height: 300,
  start: undefined,
  end: undefined,
  nodes: [{ node, box }],
  edges: [],
};

describe('the end of a line', () => {
  const from = { x: 0, y: 0 };
  const cases = [
    ['from above', { x: 140, y: 100 }, { x: 0, y: 1 }],
    ['from below', { x: 140, y: 140 }, { x: 0, y: -1 }],
    ['from the left', { x: 100, y: 120 }, { x: 1, y: 0 }],
    ['from the right', { x: 180, y: 120 }, { x: -1, y: 0 }],
  ] as const;
  for (const [what, tip, direction] of cases) {
    it(`arrives straight ${what}, outside of its box`, () => {
      // The control point of a spline may lie beside the end, which would turn the arrowhead along the border.
      for (const [isCurved, points] of [
        [true, [from, from, { x: tip.x - 60, y: tip.y }, tip]],
        [false, [from, { x: tip.x - 60, y: tip.y }, tip]],
      ] as const) {
        const line = arrivingLine(points, 10, { ...map, isCurved });
        assert.ok(line);
        assert.deepEqual([line.tip, line.direction, line.isCurved], [tip, direction, isCurved]);
        const base = { x: tip.x - 10 * direction.x, y: tip.y - 10 * direction.y };
        const before = { x: tip.x - 20 * direction.x, y: tip.y - 20 * direction.y };
        assert.deepEqual(line.points.slice(-2), [before, base]);
      }
    });
  }

  it('keeps its direction where there is no box', () => {
    const line = arrivingLine([from, { x: 30, y: 40 }], 10, { ...map, isCurved: false });
    assert.deepEqual(
      [line?.direction, line?.points.at(-1)],
      [
        { x: 0.6, y: 0.8 },
        { x: 24, y: 32 },
      ],
    );
  });
});
