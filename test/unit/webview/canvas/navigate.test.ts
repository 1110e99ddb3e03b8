import assert from 'node:assert/strict';
import { type Direction, type Stop, nearestStop } from '../../../../webview/src/canvas/navigate.ts';

const at = (key: string, x: number, y: number): Stop => ({ key, box: { x, y, width: 10, height: 10 } });
const stops = [at('a', 0, 0), at('b', 100, 10), at('c', 100, 90), at('d', 0, 100), at('e', 300, 0)];

const moves: readonly (readonly [from: string, direction: Direction, to: string | undefined])[] = [
  ['a', 'right', 'b'],
  ['a', 'down', 'd'],
  ['a', 'left', undefined],
  ['a', 'up', undefined],
  ['b', 'down', 'c'],
  ['b', 'right', 'e'],
  ['c', 'left', 'd'],
  ['e', 'left', 'b'],
  ['nowhere', 'left', undefined],
];

describe('arrow key navigation on the canvas', () => {
  for (const [from, direction, to] of moves) {
    it(`${direction} of ${from} is ${to ?? 'nothing'}`, () => {
      assert.equal(nearestStop(stops, from, direction)?.key, to);
    });
  }
});
