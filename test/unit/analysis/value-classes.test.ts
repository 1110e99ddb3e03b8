import assert from 'node:assert/strict';
import { classesOf } from '../../../server/src/analysis/value-classes.ts';

const day = 86_400_000;

describe('classes of values', () => {
  const cases: readonly (readonly [
    low: number,
    high: number,
    kind: Parameters<typeof classesOf>[3],
    start: number,
    width: number,
    count: number,
  ])[] = [
    [0, 1000, 'integer', 0, 100, 11],
    [3, 987, 'integer', 0, 100, 10],
    [1, 15, 'integer', 0, 2, 8],
    [0.1, 0.9, 'number', 0.1, 0.1, 9],
    [-5, 5, 'number', -5, 1, 11],
    [7, 7, 'number', 7, 1, 1],
    [Date.UTC(2024, 0, 1, 7), Date.UTC(2024, 0, 10), 'time', Date.UTC(2024, 0, 1), day, 10],
  ];
  for (const [low, high, kind, start, width, count] of cases) {
    it(`have readable bounds: ${low} to ${high}, ${kind}`, () => {
      assert.deepEqual(classesOf(low, high, 11, kind), { start, width, count });
    });
  }

  it('cover every value of any range with a small number of classes', () => {
    for (const [low, high] of [
      [0, 1e-9],
      [1e12, 1e15],
      [-3.7, 1234.5],
      [0, Number.MAX_SAFE_INTEGER],
      [Date.UTC(1900, 0, 1), Date.UTC(2100, 0, 1)],
    ] as const) {
      for (const kind of ['number', 'integer', 'time'] as const) {
        const { start, width, count } = classesOf(low, high, 20, kind);
        assert.ok(count >= 1 && count <= 21, `${low} to ${high}, ${kind}: ${count}`);
        assert.ok(start <= low && start + width * count > high, `${low} to ${high}, ${kind}`);
      }
    }
  });
});
