import assert from 'node:assert/strict';
import type { LoadResult, StagedColumn } from '../../../server/src/connectors/connector.ts';
import { comparedRanges } from '../../../server/src/import/previous-graph/compared-rows.ts';
import {
  type PreviousGraphFacts,
  type StagedFacts,
  activityCodesReason,
  changedRowsReason,
  collationReason,
  freeBlocksReason,
  missingRowsReason,
  rebuildReason,
  renumberedEventsReason,
} from '../../../server/src/import/previous-graph/rebuild-reason.ts';

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

describe('rebuildReason', () => {
  it('none if the same statements read comparable rows', () => {
    assert.equal(rebuildReason(facts), undefined);
  });

  for (const [change, reason] of [
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
    it(`${reason.source}`, () => assert.match(rebuildReason({ ...facts, ...change }) ?? '', reason));
  }

  for (const [what, change, reason] of [
    ['rows that were not cached', { comparison: undefined }, /"Place Order" were not cached/],
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
      assert.match(rebuildReason({ ...facts, staged: [changed] }) ?? '', reason);
      if (!changed.comparison || changed.comparison.now.sourceRows !== 10) return;
      const taken = { ...changed, comparison: { ...changed.comparison, isTaken: true } };
      assert.equal(rebuildReason({ ...facts, staged: [taken] }), undefined);
    });
  }

  describe('with new rows', () => {
    const longer = { ...orders, ...withComparison({ now: { ...loaded, sourceRows: 11 } }) };
    const pairs = { ...longer, name: 'places', isElement: false, arePairs: true };
    const reasonWith = (...staged: readonly StagedFacts[]): string | undefined => rebuildReason({ ...facts, staged });

    it('none for an element, whatever pairs there are', () => {
      assert.equal(reasonWith(longer), undefined);
      assert.equal(reasonWith(longer, pairs), undefined);
    });

    it('for new rows of relationships or master data alone', () => {
      assert.match(reasonWith(orders, pairs) ?? '', /"places" has 11 rows, and had 10/);
      const customers = { ...longer, name: 'customer', isElement: false };
      assert.match(reasonWith(longer, customers) ?? '', /"customer" has 11 rows, and had 10/);
    });

    for (const [change, reason] of [
      [{ isNumbered: true }, /"Place Order" has new rows, and "Pay" has joins or computed columns/],
      [{ hasJoins: true }, /and "Pay" has joins$/],
      [{ ownEntity: false }, /and "Pay" has no entity of its own/],
      [{ hasCorrelations: true }, /and "Pay" correlates its events/],
    ] as const) {
      it(reason.source, () => {
        const pay = { ...orders, ...withComparison({ isTaken: true }), name: 'Pay', ...change };
        assert.equal(reasonWith(orders, pay), undefined);
        assert.match(reasonWith(longer, pay) ?? '', reason);
      });
    }

    it('for missing rows, and for too many new ones', () => {
      assert.equal(missingRowsReason(orders, 2, { added: 2 }), undefined);
      assert.match(missingRowsReason(orders, 1, { added: 2 }) ?? '', /rows of "Place Order" are gone/);
      assert.match(changedRowsReason(orders, 100_000, { added: 25_001, changed: 0, deciding: 0 }) ?? '', /are new/);
    });

    it('for too many renumbered events, collations, and other codes of activities', () => {
      assert.equal(renumberedEventsReason(100_000, 25_000), undefined);
      assert.match(renumberedEventsReason(100_000, 25_001) ?? '', /25001 of 100000 events are not before/);
      assert.equal(activityCodesReason(0, 9, 10), undefined);
      assert.equal(collationReason(0), undefined);
      assert.match(collationReason(1) ?? '', /collation/);
      assert.match(activityCodesReason(1, 9, 10) ?? '', /new activities/);
      assert.match(activityCodesReason(0, 10, 10) ?? '', /no code/);
    });
  });

  it('none for an unread key of pairs, which are counted', () => {
    const keyed = withComparison({ now: { ...loaded, otherKey: ['c9'] } });
    assert.equal(rebuildReason({ ...facts, staged: [{ ...orders, ...keyed, arePairs: true }] }), undefined);
  });

  it('for changed key or time columns, and for too many changed rows', () => {
    assert.equal(changedRowsReason(orders, 10, { added: 0, changed: 10, deciding: 0 }), undefined);
    assert.match(changedRowsReason(orders, 10, { added: 0, changed: 10, deciding: 1 }) ?? '', /keys, times/);
    assert.equal(changedRowsReason(orders, 100_000, { added: 0, changed: 25_000, deciding: 0 }), undefined);
    assert.match(changedRowsReason(orders, 100_000, { added: 0, changed: 25_001, deciding: 0 }) ?? '', /too many rows/);
  });

  it('for a large file of mostly free blocks', () => {
    const size = 262_144;
    assert.equal(freeBlocksReason({ total: 1000, free: 500, size }), undefined);
    assert.match(freeBlocksReason({ total: 1000, free: 501, size }) ?? '', /501 of 1000 blocks/);
    assert.equal(freeBlocksReason({ total: 70, free: 64, size }), undefined);
    assert.match(freeBlocksReason({ total: 70, free: 65, size }) ?? '', /65 of 70/);
  });
});

describe('comparedRanges', () => {
  it('few rows first, then a million at a time', () => {
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
