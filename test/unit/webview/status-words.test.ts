import assert from 'node:assert/strict';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import { statusWords } from '../../../webview/src/entities-table/entities-state.ts';

const imported = { status: 'Imported', modifiedSinceImport: true } as EntityRow;
const keptRows = [{ dataSource: 'shop', readAt: '2024-07-01T12:00:00Z' }];

describe('status of an entity graph in words', () => {
  it('names kept rows although the graph was modified since its import', () => {
    assert.equal(statusWords({ ...imported, keptRows }), 'Imported, modified since import, with kept rows of shop');
    assert.equal(statusWords(imported), 'Imported, modified since import');
  });

  it('distinguishes a sample and a part from the whole graph', () => {
    const unchanged = { ...imported, modifiedSinceImport: false };
    assert.deepEqual(
      [
        statusWords(unchanged),
        statusWords({ ...unchanged, slice: { sample: 1000 } }),
        statusWords({ ...unchanged, slice: { since: '2024-01-01T12:00:00.000Z' } }),
        statusWords({ ...imported, slice: { sample: 1000 } }),
      ],
      ['Imported', 'Sample imported', 'Part imported', 'Sample imported, modified since import'],
    );
  });
});
