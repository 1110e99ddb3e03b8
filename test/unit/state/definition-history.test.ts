import assert from 'node:assert/strict';
import {
  type DefinitionHistory,
  type ObservedDefinition,
  historyAfterListing,
  definitionHash,
} from '../../../server/src/state/definition-history.ts';

const [monday, tuesday, friday] = ['2026-11-02T08:00:00.000Z', '2026-11-03T08:00:00.000Z', '2026-11-06T08:00:00.000Z'];

/** A file with a text, born and written at a time. */
const file = (text: string, written: string, born = written): ObservedDefinition => ({
  ...{ created: born, modified: written, hash: definitionHash(text) },
});
const listing = (history: DefinitionHistory, files: Readonly<Record<string, ObservedDefinition>>): DefinitionHistory =>
  historyAfterListing(history, new Map(Object.entries(files)), () => true);
const timesOf = (history: DefinitionHistory, entity: string): readonly (string | undefined)[] => [
  history[entity]?.created,
  history[entity]?.modified,
];

describe('definition history', () => {
  const first = listing({}, { orders: file('a', monday) });

  it('takes the times of the file at first sight, the earlier one as created', () => {
    assert.deepEqual(timesOf(first, 'orders'), [monday, monday]);
    assert.deepEqual(timesOf(listing({}, { orders: file('a', monday, friday) }), 'orders'), [monday, monday]);
  });

  it('keeps both times when the file is replaced by one with the same text, or other line ends', () => {
    assert.deepEqual(timesOf(listing(first, { orders: file('a', friday) }), 'orders'), [monday, monday]);
    const lines = listing({}, { orders: file('a\nb\n', monday) });
    assert.deepEqual(timesOf(listing(lines, { orders: file('a\r\nb\r\n', friday) }), 'orders'), [monday, monday]);
  });

  it('keeps the creation time, and takes the modification time of the file for another text', () => {
    const later = listing(first, { orders: file('b', tuesday) });
    assert.deepEqual(timesOf(later, 'orders'), [monday, tuesday]);
    // A copy may preserve an older time.
    assert.deepEqual(timesOf(listing(later, { orders: file('c', monday) }), 'orders'), [monday, tuesday]);
  });

  it('follows a rename by content, unless several files may be meant', () => {
    assert.deepEqual(timesOf(listing(first, { sales: file('a', friday) }), 'sales'), [monday, monday]);
    const twins = listing({}, { one: file('a', monday), two: file('a', tuesday) });
    assert.deepEqual(timesOf(listing(twins, { three: file('a', friday) }), 'three'), [friday, friday]);
  });

  it('recognises a file that comes back by its content', () => {
    const without = listing(first, {});
    assert.deepEqual(timesOf(listing(without, { orders: file('a', friday) }), 'orders'), [monday, monday]);
    assert.deepEqual(timesOf(listing(without, { orders: file('z', friday) }), 'orders'), [friday, friday]);
  });

  it('keeps definitions outside of the listed folder', () => {
    const both = listing({}, { a: file('a', monday), b: file('b', monday) });
    const one = historyAfterListing(both, new Map([['a', file('a', friday)]]), () => false);
    assert.deepEqual(one, both);
  });

  it('remembers a limited number of missing definitions', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`e${index}`, file(`${index}`, monday)]));
    assert.equal(Object.keys(listing(listing({}, many), {})).length, 200);
  });
});
