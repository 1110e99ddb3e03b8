import assert from 'node:assert/strict';
import { edgePath } from '../../../../webview/src/canvas/edge-path.ts';

const paths: readonly (readonly [what: string, points: readonly (readonly [number, number])[], path: string])[] = [
  ['no points', [], ''],
  [
    'a straight line',
    [
      [0, 0],
      [10, 0],
    ],
    'M 0 0 L 10 0',
  ],
  [
    'a rounded corner',
    [
      [0, 0],
      [20, 0],
      [20, 20],
    ],
    'M 0 0 L 14 0 Q 20 0 20 6 L 20 20',
  ],
  [
    'a corner without much room',
    [
      [0, 0],
      [4, 0],
      [4, 20],
    ],
    'M 0 0 L 2 0 Q 4 0 4 2 L 4 20',
  ],
  [
    'a point twice',
    [
      [0, 0],
      [0, 0],
      [5, 0],
    ],
    'M 0 0 L 0 0 Q 0 0 0 0 L 5 0',
  ],
];

describe('edge path', () => {
  for (const [what, points, path] of paths) {
    it(what, () => assert.equal(edgePath(points.map(([x, y]) => ({ x, y }))), path));
  }
});
