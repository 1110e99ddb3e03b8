import assert from 'node:assert/strict';
import type { LoadResult, StagedColumn } from '../../../server/src/connectors/connector.ts';
import { comparedRanges } from '../../../server/src/import/previous-graph/compared-rows.ts';
import {
  type PreviousGraphFacts,
  type StagedFacts,
  whyBuiltAnew,
  whyCollated,
  whyNotAdded,
  whyNotCopied,
  whyNotExtended,
  whyNotWritten,
  whyOtherActivities,
} from '../../../server/src/import/previous-graph/why-built-anew.ts';

const column = (name: string, stagedType: string): StagedColumn => ({
  ...{ name, type: stagedType, sense: 'text', stagedAs: name, stagedType },
});
const loaded: LoadResult = { sourceRows: 10, columns: [], warnings: [] };
const orders: StagedFacts = {
  ...{ name: 'Place Order', table: 'element_1', arePairs: false, ownEntity: true, isNumbered: false },
  ...{ isElement: true, hasJoins: false, hasCorrelations: false },
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
    ['fewer rows', withComparison({ now: { ...loaded, sourceRows: 9 } }), /has 9 rows, and had 10/],
    ['joins', { isNumbered: true }, /has joins or computed columns/],
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

  describe('with new rows', () => {
    const longer = { ...orders, ...withComparison({ now: { ...loaded, sourceRows: 11 } }) };
    const pairs = { ...longer, name: 'places', isElement: false, arePairs: true };
    const whyWith = (...staged: readonly StagedFacts[]): string | undefined => whyBuiltAnew({ ...facts, staged });

    it('nothing of an element, whatever pairs there are then', () => {
      assert.equal(whyWith(longer), undefined);
      assert.equal(whyWith(longer, pairs), undefined);
    });

    it('of relationships and master data alone', () => {
      assert.match(whyWith(orders, pairs) ?? '', /"places" has 11 rows, and had 10/);
      const customers = { ...longer, name: 'customer', isElement: false };
      assert.match(whyWith(longer, customers) ?? '', /"customer" has 11 rows, and had 10/);
    });

    for (const [change, why] of [
      [{ isNumbered: true }, /"Place Order" has new rows, and "Pay" has joins or computed columns/],
      [{ hasJoins: true }, /and "Pay" has joins$/],
      [{ ownEntity: false }, /and "Pay" has no entity of its own/],
      [{ hasCorrelations: true }, /and "Pay" correlates its events/],
    ] as const) {
      it(why.source, () => {
        const pay = { ...orders, ...withComparison({ isTaken: true }), name: 'Pay', ...change };
        assert.equal(whyWith(orders, pay), undefined);
        assert.match(whyWith(longer, pay) ?? '', why);
      });
    }

    it('rows without a cached one that are not just new, and many new ones', () => {
      assert.equal(whyNotAdded(orders, 2, { added: 2 }), undefined);
      assert.match(whyNotAdded(orders, 1, { added: 2 }) ?? '', /rows of "Place Order" are gone/);
      assert.match(whyNotWritten(orders, 100_000, { added: 25_001, changed: 0, deciding: 0 }) ?? '', /are new/);
    });

    it('many events that get other ids, collations, and other codes of activities', () => {
      assert.equal(whyNotExtended(100_000, 25_000), undefined);
      assert.match(whyNotExtended(100_000, 25_001) ?? '', /25001 of 100000 events are not before/);
      assert.equal(whyOtherActivities(0, 9, 10), undefined);
      assert.equal(whyCollated(0), undefined);
      assert.match(whyCollated(1) ?? '', /collation/);
      assert.match(whyOtherActivities(1, 9, 10) ?? '', /new activities/);
      assert.match(whyOtherActivities(0, 10, 10) ?? '', /no code/);
    });
  });

  it('does not include a key of pairs, which are counted', () => {
    const keyed = withComparison({ now: { ...loaded, otherKey: ['c9'] } });
    assert.equal(whyBuiltAnew({ ...facts, staged: [{ ...orders, ...keyed, arePairs: true }] }), undefined);
  });

  it('can be changed key or time columns, or too many changed rows', () => {
    assert.equal(whyNotWritten(orders, 10, { added: 0, changed: 10, deciding: 0 }), undefined);
    assert.match(whyNotWritten(orders, 10, { added: 0, changed: 10, deciding: 1 }) ?? '', /keys, times/);
    assert.equal(whyNotWritten(orders, 100_000, { added: 0, changed: 25_000, deciding: 0 }), undefined);
    assert.match(whyNotWritten(orders, 100_000, { added: 0, changed: 25_001, deciding: 0 }) ?? '', /too many rows/);
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
