import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliRun } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { graphText, postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres, startPostgres } from '../support/postgres.ts';
import { startPostgresProxy } from '../support/postgres-proxy.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const elements = '  - { activityName: Order, dataObject: orders, startTimestamp: at, properties: all }\n';
const inSource = (schema: string): string => `${graphText(elements)}import: { engine: source, schema: ${schema} }\n`;

interface Outcomes {
  readonly files: readonly { readonly file: string; readonly action: string; readonly message?: string }[];
}

describe('delete --drop-tables', () => {
  let server: TestPostgres;
  let database = '';
  let folder = '';
  const graph = (): string => join(folder, 'graph.entity.yaml');
  const status = (): string => join(folder, '.entity-graph/state/graph.json');
  const run = (...args: readonly string[]): Promise<CliRun> =>
    runCommand([...args, '--workspace', folder, '--format', 'json'], folder);
  const imported = async (text: string, file = 'graph.entity.yaml'): Promise<void> => {
    await writeFile(join(folder, file), text);
    const { code, stdout, stderr } = await run('import', file);
    assert.equal(code, 0, stdout + stderr);
  };
  const drop = (): Promise<CliRun> => run('delete', 'graph.entity.yaml', '--yes', '--drop-tables');
  const schemas = async (): Promise<readonly unknown[]> =>
    (
      await server.query(
        database,
        "SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)' AND nspname <> 'public' ORDER BY 1",
      )
    ).map(({ nspname }) => nspname);

  before(async () => {
    server = await sharedPostgres();
  });
  beforeEach(async () => {
    database = await server.createDatabase();
    await server.query(
      database,
      "CREATE TABLE orders (id int PRIMARY KEY, at timestamptz); INSERT INTO orders VALUES (1, '2024-01-01'), (2, '2024-01-02')",
    );
    folder = await folderWith({ 'entity-sources.yaml': postgresqlSources(server, database) });
  });
  afterEach(() => removeFolder(folder));

  it('without the option keeps the tables, and says that they exist', async () => {
    await imported(inSource('ekg'));
    const asked = await run('delete', 'graph.entity.yaml');
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /Without --drop-tables, schema ekg of shop stays\./);
    const asked2 = await run('delete', 'graph.entity.yaml', '--drop-tables');
    assert.match(asked2.stderr, /needed to delete .*graph\.json, schema ekg of shop\./);
    const deleted = await run('delete', 'graph.entity.yaml', '--yes');
    assert.equal(deleted.code, 0, deleted.stderr);
    const [file] = (JSON.parse(deleted.stdout) as Outcomes).files;
    assert.deepEqual(file, {
      ...{ file: graph(), action: 'deleted' },
      message: 'its tables are still there: schema ekg of shop',
    });
    assert.deepEqual(await schemas(), ['ekg']);
  });

  it('drops every schema created by imports of the graph, earlier graphs included, and nothing else', async () => {
    await server.query(database, 'CREATE SCHEMA theirs; CREATE TABLE theirs.event (id int)');
    await imported(inSource('ekg_first'));
    await imported(inSource('ekg_second'));
    await imported(inSource('ekg_second'));
    await imported(inSource('ekg_other'), 'other.entity.yaml');
    // The embedded engine builds on this machine; results inside the source are cached.
    await imported(graphText(elements));
    assert.deepEqual(await schemas(), ['ekg_first', 'ekg_other', 'ekg_second', 'ekg_second__previous', 'theirs']);
    const deleted = await drop();
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.equal(
      (JSON.parse(deleted.stdout) as Outcomes).files[0]?.message,
      'its tables are dropped: schema ekg_first of shop, schema ekg_second of shop',
    );
    assert.deepEqual([existsSync(graph()), existsSync(status())], [false, false]);
    assert.deepEqual(await schemas(), ['ekg_other', 'theirs']);
    assert.deepEqual(await server.query(database, 'SELECT count(*)::int AS rows FROM orders'), [{ rows: 2 }]);
  });

  it('accepts that the schema is already gone', async () => {
    await imported(inSource('ekg'));
    await server.query(database, 'DROP SCHEMA ekg CASCADE');
    assert.equal((await drop()).code, 0);
    assert.deepEqual(await schemas(), []);
  });

  for (const earlier of [0, 1]) {
    it(`drops a graph that was published by an import that lost the answer to COMMIT, after ${earlier} other imports`, async () => {
      const proxy = await startPostgresProxy(server);
      try {
        await writeFile(
          join(folder, 'entity-sources.yaml'),
          postgresqlSources({ ...server, port: proxy.port }, database),
        );
        for (let count = 0; count < earlier; count += 1) await imported(inSource('ekg'));
        await writeFile(graph(), inSource('ekg'));
        let isPublishing = false;
        proxy.listen({
          onStatement: ({ sql }) => void (isPublishing ||= /^ALTER SCHEMA "ekg__building" RENAME/.test(sql)),
          onAnswer: async ({ sql }) => (isPublishing && sql === 'COMMIT' ? 'lost' : undefined),
        });
        const failed = await run('import', 'graph.entity.yaml');
        assert.match(failed.stdout, /whether the new graph has taken the place of the one before is not known/);
        proxy.listen({});
        const left = earlier === 0 ? ['ekg'] : ['ekg', 'ekg__previous'];
        assert.deepEqual(await schemas(), left);
        const asked = await run('delete', 'graph.entity.yaml');
        const doubt = earlier === 0 ? ' \\(if an interrupted import published it\\)' : '';
        assert.match(asked.stderr, new RegExp(`Without --drop-tables, schema ekg of shop${doubt} stays\\.`));
        const deleted = await drop();
        assert.equal(deleted.code, 0, deleted.stderr);
        assert.deepEqual(await schemas(), []);
      } finally {
        await proxy.close();
      }
    });
  }

  it('leaves the graph of another file where an import of this one could not publish its own', async () => {
    const proxy = await startPostgresProxy(server);
    try {
      await writeFile(
        join(folder, 'entity-sources.yaml'),
        postgresqlSources({ ...server, port: proxy.port }, database),
      );
      await writeFile(graph(), inSource('ekg'));
      proxy.listen({
        async onStatement({ sql }) {
          if (/^ALTER SCHEMA "ekg__building" RENAME/.test(sql)) throw new Error('The connection is lost.');
        },
      });
      assert.equal((await run('import', 'graph.entity.yaml')).code, 1);
      proxy.listen({});
      await imported(inSource('ekg'), 'other.entity.yaml');
      assert.equal((await drop()).code, 0);
      assert.deepEqual(await schemas(), ['ekg']);
    } finally {
      await proxy.close();
    }
  });

  interface Refusal {
    /** Runs after the import. */
    readonly spoil: () => Promise<unknown>;
    readonly message: RegExp;
    /** The schemas that exist afterwards; none without a server. */
    readonly left?: readonly string[];
  }
  const refusals: Readonly<Record<string, Refusal>> = {
    'a table of somebody else in the schema': {
      spoil: () => server.query(database, 'CREATE TABLE ekg.mine (id int)'),
      message: /table ekg\.mine depends on schema ekg.*Move objects that are not part of the graph elsewhere/s,
      left: ['a_first', 'ekg'],
    },
    'a view of somebody else on the graph': {
      spoil: () => server.query(database, 'CREATE VIEW public.mine AS SELECT * FROM ekg.node_event'),
      message: /view mine depends on/,
      left: ['a_first', 'ekg'],
    },
    'a graph of another import in the schema': {
      spoil: () => server.query(database, "UPDATE ekg.run SET id = 'another', entity = 'other'"),
      message:
        /The schema ekg holds the graph of another import: of other, begun \d{4}-.*Leave its tables.*import this one once more/s,
      left: ['a_first', 'ekg'],
    },
    'a schema of this name that no import made': {
      spoil: () =>
        server.query(database, 'DROP SCHEMA ekg CASCADE; CREATE SCHEMA ekg; CREATE TABLE ekg.event (id int)'),
      message: /The schema ekg was not made by an import/,
      left: ['a_first', 'ekg'],
    },
    'a user without the right': {
      spoil: async () => {
        await server.query(
          database,
          `CREATE ROLE ${database}_reader LOGIN PASSWORD 'looks'; GRANT USAGE ON SCHEMA ekg, a_first TO ${database}_reader; GRANT SELECT ON ekg.run, a_first.run TO ${database}_reader`,
        );
        const reader = { ...server, user: `${database}_reader`, password: 'looks' };
        await writeFile(join(folder, 'entity-sources.yaml'), postgresqlSources(reader, database));
      },
      message: /must be owner of .*Only the user that imported the graph can drop it/s,
      left: ['a_first', 'ekg'],
    },
    'a source that is not configured any more': {
      spoil: () =>
        writeFile(join(folder, 'entity-sources.yaml'), postgresqlSources(server, database).replace('shop:', 'store:')),
      message: /Data source shop is not configured/,
      left: ['a_first', 'ekg'],
    },
  };
  for (const [what, { spoil, message, left }] of Object.entries(refusals)) {
    it(`removes nothing and names the reason: ${what}`, async () => {
      await imported(inSource('a_first'));
      await imported(inSource('ekg'));
      await spoil();
      const refused = await drop();
      assert.equal(refused.code, 1, refused.stdout);
      assert.match(refused.stderr + refused.stdout, message);
      assert.doesNotMatch(refused.stderr, /\n\s+at /);
      assert.deepEqual([existsSync(graph()), existsSync(status())], [true, true]);
      assert.deepEqual(await schemas(), left);
    });
  }

  it('removes nothing and names the reason: unreachable source', async function () {
    this.timeout(600_000);
    const own = await startPostgres();
    try {
      await own.query('postgres', 'CREATE TABLE orders (id int PRIMARY KEY, at timestamptz)');
      await writeFile(join(folder, 'entity-sources.yaml'), postgresqlSources(own, 'postgres'));
      await imported(inSource('ekg'));
    } finally {
      await own.stop();
    }
    const refused = await drop();
    assert.equal(refused.code, 1, refused.stdout);
    assert.match(refused.stderr + refused.stdout, /source-unreachable|refused|no server/i);
    assert.deepEqual([existsSync(graph()), existsSync(status())], [true, true]);
    assert.equal((await run('delete', 'graph.entity.yaml', '--yes')).code, 0);
    assert.equal(existsSync(graph()), false);
  });
});
