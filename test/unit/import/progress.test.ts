import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { createProgress } from '../../../server/src/import/progress.ts';

describe('progress of an import', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  function reporter() {
    const said: string[] = [];
    return { said, progress: createProgress(({ step, message }) => void said.push(`${step}: ${message}`)) };
  }

  it('reports every data object, and every new phase at once', () => {
    const { said, progress } = reporter();
    for (const name of ['orders', 'lines']) progress.report('data pull', name);
    for (const title of ['Entities', 'Events']) progress.report('graph build', title);
    progress.report('post-load checks', 'Checking');
    progress.report('Import Done', 'Import Done');
    assert.deepEqual(said, [
      'data pull: orders',
      'data pull: lines',
      'graph build: Entities',
      'post-load checks: Checking',
      'Import Done: Import Done',
    ]);
  });

  it('reports the latest of short statements every 100 ms, also of one that then takes long', () => {
    const { said, progress } = reporter();
    for (const title of ['Entities', 'Events', 'Relations']) progress.report('graph build', title);
    mock.timers.tick(100);
    progress.report('graph build', 'Correlations');
    mock.timers.tick(99);
    assert.deepEqual(said, ['graph build: Entities', 'graph build: Relations']);
    mock.timers.tick(1);
    assert.deepEqual(said.at(-1), 'graph build: Correlations');
    mock.timers.tick(100);
    progress.report('graph build', 'Directly-follows');
    assert.deepEqual(said.at(-1), 'graph build: Directly-follows');
  });

  it('reports the publication at once, and nothing after the end', () => {
    const { said, progress } = reporter();
    progress.report('post-load checks', 'Checking');
    progress.reportPublication();
    progress.report('post-load checks', 'late');
    progress.end();
    mock.timers.tick(1_000);
    assert.deepEqual(said, ['post-load checks: Checking', 'post-load checks: Putting the graph in its place']);
  });
});
