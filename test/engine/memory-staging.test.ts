import { deepStrictEqual, rejects } from 'node:assert/strict';
import { createMemoryStaging } from '../../server/src/import/memory-staging.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

describe('one engine for many small imports', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith({ 'secret.csv': 'a\n1\n' });
  });
  after(() => removeFolder(folder));

  it('gives each an empty database', async () => {
    const memory = createMemoryStaging(folder);
    try {
      for (const _ of ['first', 'second']) {
        const staging = await memory.open();
        for (const sql of [
          'CREATE TABLE rows AS SELECT 1 AS a',
          'CREATE TABLE graph.event AS SELECT 1 AS a',
          'CREATE TEMP TABLE given AS SELECT 1 AS a',
          'CREATE TEMP VIEW trail AS FROM given',
        ]) {
          await staging.run(sql);
        }
        await staging.close();
        await staging.close();
      }
      const staging = await memory.open();
      const tables = await staging.query(
        'SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal',
      );
      await staging.close();
      deepStrictEqual(tables, []);
    } finally {
      await memory.close();
    }
  });

  it('reads no files but those of its folders', async () => {
    const memory = createMemoryStaging(`${folder}/none`, [folder]);
    try {
      const staging = await memory.open();
      deepStrictEqual(await staging.query(`FROM '${folder}/secret.csv'`), [{ a: 1n }]);
      await rejects(staging.query("FROM '/etc/elsewhere.csv'"), /disabled by configuration/);
      await staging.close();
    } finally {
      await memory.close();
    }
  });

  it('reads no files', async () => {
    const memory = createMemoryStaging(`${folder}/none`);
    try {
      for (const _ of ['first', 'second']) {
        const staging = await memory.open();
        await rejects(staging.query(`FROM '${folder}/secret.csv'`), /disabled by configuration/);
        await rejects(staging.run('SET enable_external_access = true'), /external access/);
        await staging.close();
      }
    } finally {
      await memory.close();
    }
  });

  it('starts another engine when one has become unusable', async () => {
    const memory = createMemoryStaging(folder);
    try {
      const staging = await memory.open();
      await staging.run('CREATE TABLE memory.main.mark AS SELECT 1 AS a');
      await staging.run('BEGIN');
      await rejects(staging.query("SELECT error('of the transaction')"));
      await rejects(staging.run('USE memory'), /transaction/i);
      await staging.close();
      const next = await memory.open();
      deepStrictEqual(await next.query('SELECT table_name FROM duckdb_tables()'), []);
      await next.close();
    } finally {
      await memory.close();
    }
  });
});
