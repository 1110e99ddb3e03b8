import assert from 'node:assert/strict';
import { foundChanges } from '../../../server/src/import/previous-graph/compared-rows.ts';
import { countIn } from '../../../server/src/import/previous-graph/reuse-work.ts';

describe('counts that decide whether a graph is used again', () => {
  it('are numbers of any type', () => {
    assert.equal(countIn({ rows: 3n }, 'rows'), 3);
    assert.equal(countIn({ rows: '3' }, 'rows'), 3);
    assert.equal(countIn({ rows: 0 }, 'rows'), 0);
  });

  it('throw instead of being 0 where there is no answer', () => {
    assert.throws(() => countIn(undefined, 'rows'), /did not count rows/);
    assert.throws(() => countIn({ others: 1 }, 'rows'), /did not count rows/);
    assert.throws(() => countIn({ rows: null }, 'rows'), /did not count rows/);
  });

  it('of changes need each of their names', () => {
    const staged = { name: 'Place Order', table: 'element_1', arePairs: false, deciding: [], values: [] };
    const counted = { added: 0n, first_added: null, changed: 1n, deciding: 0n };
    assert.equal(foundChanges(staged, counted).changed, 1);
    assert.throws(() => foundChanges(staged, { ...counted, added: 1n }), /did not count first_added/);
    assert.throws(() => foundChanges(staged, { added: 0n, changed: 1n }), /did not count deciding/);
    assert.throws(() => foundChanges(staged, undefined), /did not count added/);
  });
});
