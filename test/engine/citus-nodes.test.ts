import assert from 'node:assert/strict';
import { startNodes } from '../support/citus-cluster.ts';
import { type TestPostgres, startPostgres } from '../support/postgres.ts';

describe('nodes of a test cluster', () => {
  it('are stopped when another one does not start', async () => {
    let first: TestPostgres | undefined;
    const starts = [
      async () => (first = await startPostgres()),
      () => startPostgres({ settings: { no_such_setting: 'on' } }),
    ];
    await assert.rejects(startNodes(starts), /PostgreSQL did not start/);
    await assert.rejects(async () => first?.query('postgres', 'SELECT 1'), /ECONNREFUSED/);
  });
});
