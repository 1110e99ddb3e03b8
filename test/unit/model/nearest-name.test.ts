import { deepStrictEqual } from 'node:assert/strict';
import { describe, it } from 'mocha';
import { nearestNames } from '../../../server/src/model/nearest-name.ts';

describe('nearestNames', () => {
  it('finds the name with one typing error among thousands', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `Place Order ${index}`);
    deepStrictEqual(nearestNames('XPlace Order 2500', names), ['Place Order 2500']);
    deepStrictEqual(nearestNames('Palce Order 2500', names), ['Place Order 2500']);
  });

  it('counts exchanged neighbours, also at the ends, as one error', () => {
    deepStrictEqual(nearestNames('ab', ['ba', 'xy']), ['ba']);
    deepStrictEqual(nearestNames('custoemr', ['customer', 'custom']), ['customer']);
  });

  it('has no names above the limit of a third of the length', () => {
    deepStrictEqual(nearestNames('abc', ['xyc', 'abcdef']), []);
    deepStrictEqual(nearestNames('', ['a', 'ab']), ['a']);
  });

  it('finds the same names as the whole table of distances', () => {
    const random = randomNumbers();
    for (let round = 0; round < 5_000; round += 1) {
      const word = (): string => Array.from({ length: random(12) }, () => 'abcA '[random(5)]).join('');
      const [name, names] = [word(), Array.from({ length: random(8) }, word)];
      deepStrictEqual(nearestNames(name, names), nearestByTable(name, names), JSON.stringify({ name, names }));
    }
  });
});

/** The same with all distances computed completely: a name may be as far as the best one before it. */
function nearestByTable(name: string, names: readonly string[]): readonly string[] {
  if (names.includes(name)) return [name];
  let best: { readonly names: readonly string[]; readonly distance: number } | undefined;
  for (const each of names) {
    const limit = best?.distance ?? Math.max(1, Math.floor(Math.max(name.length, each.length) / 3));
    const distance = distanceByTable(name.toLowerCase(), each.toLowerCase());
    if (distance > limit) continue;
    best = distance === best?.distance ? { names: [...best.names, each], distance } : { names: [each], distance };
  }
  return [...new Set(best?.names)].slice(0, 4);
}

function distanceByTable(left: string, right: string): number {
  const table: number[][] = [];
  const at = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let row = 0; row <= left.length; row += 1) {
    table.push([]);
    for (let column = 0; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isExchanged = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      table[row]?.push(
        row === 0 || column === 0
          ? row + column
          : Math.min(
              at(row - 1, column) + 1,
              at(row, column - 1) + 1,
              at(row - 1, column - 1) + (isSame ? 0 : 1),
              row > 1 && column > 1 && isExchanged ? at(row - 2, column - 2) + 1 : Infinity,
            ),
      );
    }
  }
  return at(left.length, right.length);
}

/** Whole numbers below a limit, the same in each run. */
function randomNumbers(): (below: number) => number {
  let seed = 1;
  return (below) => (seed = (seed * 48_271) % 2_147_483_647) % below;
}
