import assert from 'node:assert/strict';
import { forgetServerEnvironment, serverEnvironment } from '../../../protocol/server-process.ts';

const inherited = { HOME: '/home/a', MALLOC_ARENA_MAX: '3' };

describe('the environment of the language server', () => {
  it('leaves the settings of the user as they are', () => {
    assert.deepEqual(Object.keys(serverEnvironment(inherited)).toSorted(), [
      'ENTITY_GRAPH_ALLOCATOR_SETTINGS',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
    ]);
    assert.equal(serverEnvironment({})['MALLOC_ARENA_MAX'], '1');
  });

  it('is not inherited by the processes of the server', () => {
    const environment: Record<string, string | undefined> = { ...inherited, ...serverEnvironment(inherited) };
    forgetServerEnvironment(environment);
    assert.deepEqual(environment, inherited);
  });

  it('is unchanged for a server that another editor started', () => {
    const environment: Record<string, string | undefined> = { ...inherited };
    forgetServerEnvironment(environment);
    assert.deepEqual(environment, inherited);
  });
});
