import assert from 'node:assert/strict';
import type { LoadResult, StagedColumn } from '../../../server/src/connectors/connector.ts';
import { comparedRanges } from '../../../server/src/import/previous-graph/compared-rows.ts';
import {
  type PreviousGraphFacts,
  type StagedFacts,
  whyBuiltAnew,
  whyNotCopied,
  whyNotWritten,
} from '../../../server/src/import/previous-graph/why-built-anew.ts';

const column = (name: string, stagedType: string): StagedColumn => ({
  ...{ name, type: stagedType, sense: 'text', stagedAs: name, stagedType },
});
const loaded: LoadResult = { sourceRows: 10, columns: [], warnings: [] };
const orders: StagedFacts = {
  ...{ name: 'Place Order', table: 'element_1', arePairs: false, ownEntity: true, hasJoins: false },
  deciding: [column('c1', 'VARCHAR'), column('c2', 'TIMESTAMP')],
  values: [column('c3', 'DECIMAL(10,2)'), column('c4', 'DOUBLE')],
  comparison: { cached: 'kept.main.element_1', before: loaded, now: loaded, isTaken: false },
};
const facts: PreviousGraphFacts = {
  ...{ isPart: false, isFull: false, failure: undefined, key: 'k', mayCorrelateTwice: false, joined: [] },
  ...{ cached: { run: 'r', key: 'k' }, published: { run: 'r' }, staged: [orders] },
};

function withComparison(change: Partial<NonNullable<StagedFacts['comparison']>>): Partial<StagedFacts> {
  return { comparison: { cached: 'kept.main.element_1', before: loaded, now: loaded, isTaken: false, ...change } };
}

describe('why a graph is built anew', () => {
  it('is undefined if the same statements read comparable rows', () => {
    assert.equal(whyBuiltAnew(facts), undefined);
  });

  for (const [change, why] of [
    [{ isFull: true }, /everything is imported anew/],
    [{ isPart: true }, /only a part/],
    [{ failure: 'It is damaged.' }, /could not be used: It is damaged/],
    [{ cached: undefined }, /no rows of the previous import/],
    [{ published: undefined }, /missing, or its file has changed/],
    [{ published: { run: 'other' } }, /missing, or its file has changed/],
    [{ mayCorrelateTwice: true }, /correlated with one entity twice/],
    [{ joined: ['places'] }, /"places" joins rows of several data sources/],
    [{ key: 'other' }, /the program has changed/],
  ] as const) {
    it(`${why.source}`, () => assert.match(whyBuiltAnew({ ...facts, ...change }) ?? '', why));
  }

  for (const [what, change, why] of [
    ['rows that were not kept', { comparison: undefined }, /"Place Order" were not cached/],
    ['more rows', withComparison({ now: { ...loaded, sourceRows: 11 } }), /has 11 rows, and had 10/],
    ['joins', { hasJoins: true }, /has joins/],
    ['rows without an entity', { ownEntity: false }, /no entity of their own/],
    [
      'a type that has equal values which differ',
      { values: [column('span', 'INTERVAL')] },
      /span .* compared exactly: INTERVAL/,
    ],
    ['a list', { values: [column('tags', 'VARCHAR[]')] }, /compared exactly: VARCHAR\[\]/],
    ['a key that is not read', withComparison({ now: { ...loaded, otherKey: ['c9'] } }), /without their key/],
  ] as const) {
    it(`${what}, unless all rows come from the row cache`, () => {
      const changed = { ...orders, ...change };
      assert.match(whyBuiltAnew({ ...facts, staged: [changed] }) ?? '', why);
      if (!changed.comparison || changed.comparison.now.sourceRows !== 10) return;
      const taken = { ...changed, comparison: { ...changed.comparison, isTaken: true } };
      assert.equal(whyBuiltAnew({ ...facts, staged: [taken] }), undefined);
    });
  }

  it('does not include a key of pairs, which are counted', () => {
    const keyed = withComparison({ now: { ...loaded, otherKey: ['c9'] } });
    assert.equal(whyBuiltAnew({ ...facts, staged: [{ ...orders, ...keyed, arePairs: true }] }), undefined);
  });

  it('can be changed key or time columns, or too many changed rows', () => {
    assert.equal(whyNotWritten(orders, 10, { changed: 10, deciding: 0 }), undefined);
    assert.match(whyNotWritten(orders, 10, { changed: 10, deciding: 1 }) ?? '', /keys, times/);
    assert.equal(whyNotWritten(orders, 100_000, { changed: 25_000, deciding: 0 }), undefined);
    assert.match(whyNotWritten(orders, 100_000, { changed: 25_001, deciding: 0 }) ?? '', /too many rows/);
  });

  it('can be a large file of mostly free blocks', () => {
    const size = 262_144;
    assert.equal(whyNotCopied({ total: 1000, free: 500, size }), undefined);
    assert.match(whyNotCopied({ total: 1000, free: 501, size }) ?? '', /501 of 1000 blocks/);
    assert.equal(whyNotCopied({ total: 70, free: 64, size }), undefined);
    assert.match(whyNotCopied({ total: 70, free: 65, size }) ?? '', /65 of 70/);
  });

  it('comparison reads few rows first, then a million at a time', () => {
    assert.deepEqual(comparedRanges(0), []);
    assert.deepEqual(comparedRanges(5), [{ from: 0, until: 5 }]);
    assert.deepEqual(comparedRanges(2_500_000), [
      { from: 0, until: 10_000 },
      { from: 10_000, until: 1_010_000 },
      { from: 1_010_000, until: 2_010_000 },
      { from: 2_010_000, until: 2_500_000 },
    ]);
    assert.deepEqual(
      comparedRanges(50, [
        { from: 10, until: 20 },
        { from: 40, until: 45 },
      ]),
      [
        { from: 10, until: 20 },
        { from: 40, until: 45 },
      ],
    );
    assert.deepEqual(comparedRanges(50, []), []);
  });
});
