import assert from 'node:assert/strict';
import {
  importDone,
  importEnded,
  importReached,
  neverImported,
  withBegunPublication,
  withSourceGraph,
} from '../../../server/src/state/entity-status.ts';

describe('status of an entity graph', () => {
  const failed = importEnded(neverImported, 'failed', 'data pull', {
    code: 'authentication-failed',
    message: 'no password',
  });

  it('marks a failed import by a field, beside the text of the reason', () => {
    assert.deepEqual(failed, {
      ...neverImported,
      progress: 'Import failed at data pull: no password',
      hasFailed: true,
      failedWith: 'authentication-failed',
    });
  });

  it('forgets the failure when the next import begins, is cancelled or succeeds', () => {
    const counts = { elements: [], entities: [], relationships: [], totals: { events: 0, entities: 0 } };
    const after = [
      importReached(failed, 'validation'),
      importEnded(failed, 'cancelled', 'validation', { code: 'cancelled', message: 'Cancelled.' }),
      importDone({ at: '2024-01-01T00:00:00.000Z', run: 'r', text: '', counts }),
    ];
    assert.deepEqual(
      after.map((status) => ['hasFailed' in status || 'failedWith' in status, status.progress]),
      [
        [false, 'validation'],
        [false, 'Import cancelled at validation'],
        [false, 'Import Done'],
      ],
    );
  });

  it('names the imports that began to publish in a schema, until one of them is done', () => {
    const other = { dataSource: 'shop', schema: 'other', run: 'o' };
    const run = (id: string) => ({ dataSource: 'shop', schema: 'ekg', run: id });
    const first = withBegunPublication([other], run('a'));
    assert.deepEqual(first, [other, { dataSource: 'shop', schema: 'ekg', begun: ['a'] }]);
    const done = withSourceGraph(withBegunPublication(first, run('b')), run('b'));
    assert.deepEqual(done, [other, run('b')]);
    assert.deepEqual(withBegunPublication(withBegunPublication(done, run('c')), run('d')), [
      other,
      { ...run('b'), begun: ['c', 'd'] },
    ]);
  });
});
