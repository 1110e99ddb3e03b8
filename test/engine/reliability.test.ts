import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { exportFormatNames } from '../../server/src/export/export-formats.ts';
import { diffGraph } from '../../server/src/operations/stored-graphs/diff-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres, startPostgres } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { countSoak, soakIt, soakList } from '../support/soak.ts';
import { fingerprint } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

const elements = '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: [note] }\n';
const ordersSql = (rows: number): string =>
  `CREATE TABLE orders (id int PRIMARY KEY, at timestamptz, note text);
   INSERT INTO orders SELECT i, timestamptz '2024-01-01 00:00Z' + i * interval '1 minute', repeat('x', 200) FROM generate_series(1, ${rows}) AS i`;

async function withOrders(
  server: TestPostgres,
  rows: number,
  settings: string,
  use: Parameters<typeof withProject>[1] extends (project: infer P) => unknown
    ? (project: P, database: string) => Promise<void>
    : never,
): Promise<void> {
  const database = await server.createDatabase();
  await server.query(database, ordersSql(rows));
  const files = {
    'entity-sources.yaml': postgresqlSources(server, database, settings),
    'graph.entity.yaml': graphText(elements),
  };
  await withProject(files, (project) => use(project, database));
}

describe('import while the source fails', () => {
  withAllProcessors();
  it("a table locked by another session: ends by the server's lock_timeout, and says so", async () => {
    const server = await sharedPostgres();
    await withOrders(server, 10, '', async (project, database) => {
      const good = await project.import();
      assert.equal(good.status, 'imported', good.error?.message);
      await server.query('postgres', `ALTER DATABASE ${database} SET lock_timeout = '300ms'`);
      const locker = new pg.Client({ connectionString: server.url(database) });
      await locker.connect();
      try {
        await locker.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
        const failed = await project.import();
        assert.deepEqual([failed.status, failed.error?.code], ['failed', 'source-failed'], failed.error?.message);
        assert.match(`${failed.error?.message} ${failed.error?.remedy}`, /lock/);
      } finally {
        await locker.end();
      }
      assert.equal((await project.import()).status, 'imported');
    });
  });

  it("a table that stays locked: ends by the source's statementTimeout", async () => {
    const server = await sharedPostgres();
    await withOrders(server, 10, ', statementTimeout: 500ms', async (project, database) => {
      const locker = new pg.Client({ connectionString: server.url(database) });
      await locker.connect();
      try {
        await locker.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
        const failed = await project.import();
        assert.deepEqual([failed.status, failed.error?.code], ['failed', 'statement-timeout'], failed.error?.message);
      } finally {
        await locker.end();
      }
    });
  });

  soakIt('a server restarted during the pull: keeps the previous graph, and the next import has all rows', async () => {
    const server = await startPostgres();
    try {
      await withOrders(server, 300_000, '', async (project) => {
        const good = await project.import();
        assert.equal(good.status, 'imported', good.error?.message);
        const before = await fingerprint(join(project.folder, '.entity-graph/graphs'));
        let stopped: Promise<void> | undefined;
        const failed = await project.import({
          request: { kind: 'build', isFull: true },
          onProgress: ({ step, rows }) => {
            if (step === 'data pull' && (rows ?? 0) > 0) stopped ??= server.halt();
          },
        });
        await stopped;
        assert.equal(failed.status, 'failed');
        assert.ok(['connection-lost', 'source-unreachable'].includes(failed.error?.code ?? ''), failed.error?.message);
        assert.deepEqual(await fingerprint(join(project.folder, '.entity-graph/graphs')), before);
        await server.startAgain();
        const next = await project.import();
        assert.deepEqual([next.status, next.totals.events], ['imported', 300_000], next.error?.message);
        countSoak();
      });
    } finally {
      await server.stop();
    }
  });
});

describe('graph while the machine fails', () => {
  withAllProcessors();
  const files = {
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': graphText(elements),
    'orders.csv': 'id,at,note\n1,2024-01-01,a\n2,2024-01-02,b\n',
  };

  it('a clock that was set back: the newest graph is used, and the previous one kept', async () => {
    await withProject(files, async (project) => {
      const first = await project.import();
      // As if the first import had run in 2099.
      const late = join(dirname(first.store ?? ''), '20990101T000000000-ffff.duckdb');
      await rename(first.store ?? '', late);
      const statusPath = join(project.folder, '.entity-graph/state/graph.json');
      const status = JSON.parse(await readFile(statusPath, 'utf8')) as Record<string, unknown>;
      await writeFile(statusPath, JSON.stringify({ ...status, store: basename(late) }));
      await project.write({ 'orders.csv': 'id,at,note\n1,2024-01-01,a\n' });
      const second = await project.import();
      assert.equal(second.status, 'imported', second.error?.message);
      assert.deepEqual(await project.rows('SELECT count(*)::INT FROM event'), [[1]]);
      const projectContext = {
        ...noSecrets,
        workspaceFolderOf: () => project.folder,
      };
      const file = await readGraphFile(join(project.folder, 'graph.entity.yaml'), projectContext);
      const diff = await diffGraph(file, projectContext, new AbortController().signal);
      assert.deepEqual([diff.before.store, diff.after.store], [late, second.store]);
      const third = await project.import();
      assert.equal(third.status, 'imported', third.error?.message);
      assert.deepEqual(
        (await fingerprint(dirname(late))).map((line) => line.split(' ')[0]).toSorted(),
        [...[second.store, third.store].map((store) => `/${basename(store ?? '')}`), '/rows.kept'].toSorted(),
      );
    });
  });

  it('a full disk: an export reports it, and keeps the previous file', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `${i},2024-01-01,note ${i}`);
    await withProject(
      { ...files, 'orders.csv': `id,at,note\n${rows.join('\n')}\n` },
      async ({ folder, import: run }) => {
        assert.equal((await run()).status, 'imported');
        // The soak has also those that DuckDB and SQLite write.
        for (const format of soakList(exportFormatNames, ['ocel-json'])) {
          const args = [
            'export',
            'graph.entity.yaml',
            '--as',
            format,
            '--output',
            format,
            '--workspace',
            folder,
            '--format',
            'json',
          ];
          assert.equal((await runCli(args, { cwd: folder })).code, 0, format);
          const before = await fingerprint(folder);
          // Limits files to a few blocks, which is like a full disk for a program.
          const failed = await runCli(args, { cwd: folder, wrapper: ['sh', '-c', 'ulimit -f 20; exec "$@"', 'sh'] });
          const { error } = JSON.parse(failed.stdout) as { error: { code: string; message: string; remedy: string } };
          assert.deepEqual([failed.code, error.code], [1, 'disk-full'], `${format}: ${error.message}`);
          assert.match(error.message, new RegExp(`${format} was not written`));
          assert.deepEqual(await fingerprint(folder), before, format);
          countSoak();
        }
      },
    );
  });
});
