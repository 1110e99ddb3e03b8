import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { diffGraph } from '../../server/src/operations/stored-graphs/diff-graph.ts';
import { exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { statePaths } from '../../server/src/state/state-folder.ts';
import { compareFetched, sourceSettings, wholeStore } from '../support/compare-engines.ts';
import { graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';
import { customers, lines, orders, places, shop } from '../support/shop-graphs.ts';
import { noSecrets } from '../support/no-secrets.ts';

/** Graphs of every rule are fetched in source-engine.test.ts. */
describe('fetch command for graphs built inside the source', () => {
  let server: TestPostgres;
  let database = '';

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(database, shop);
  });

  const files = (graph: string): Record<string, string> => ({
    'entity-sources.yaml': postgresqlSources(server, database),
    'graph.entity.yaml': graph,
  });

  it('copies a graph without entities identically', async () => {
    const graph = graphText(customers.replace(' }', ", where: 'false' }"));
    await withProject(files(graph), async (project) => {
      assert.equal((await project.import()).totals.entities, 0);
      const embedded = await wholeStore(project);
      await project.write({ 'graph.entity.yaml': `${graph}${sourceSettings}` });
      const built = await project.import();
      assert.equal(built.status, 'imported', built.error?.message);
      await compareFetched(project, built, embedded);
    });
  });

  it('copies unusual values identically', async () => {
    await server.query(
      database,
      `CREATE TABLE rare (id int, at timestamp, d date, n numeric(10,2), small numeric(2,2), a inet, c char(4), list int[]);
       INSERT INTO rare VALUES (1, '0044-03-15 12:00 BC', '4714-11-24 BC', 'NaN', 0, '10.0.0.1', 'ab', '[0:1]={1,2}'),
         (2, '2024-01-01', '5874897-12-31', 12.50, -0.50, '10.0.0.0/24', 'abcd', '{1,2}'), (3, '2024-01-02', 'infinity', NULL, NULL, NULL, '', NULL)`,
    );
    const graph = graphText(
      '  - { activityName: A, dataObject: rare, key: [id, d, n, small, c], startTimestamp: at, properties: all }\n  - { activityName: B, dataObject: rare, entityType: b, key: list, startTimestamp: at, properties: [a] }\n',
    );
    await withProject(files(graph), async (project) => {
      const first = await project.import();
      assert.equal(first.status, 'imported', first.error?.message);
      const embedded = await wholeStore(project);
      await project.write({ 'graph.entity.yaml': `${graph}${sourceSettings}` });
      const built = await project.import();
      assert.equal(built.status, 'imported', built.error?.message);
      await compareFetched(project, built, embedded);
    });
  });

  it('copies a graph whose database sorts texts in another order than UTF-8', async () => {
    const other = 'cyrillic';
    await server.query('postgres', `CREATE DATABASE ${other} ENCODING 'WIN1251' LOCALE 'C' TEMPLATE template0`);
    await server.query(
      other,
      "CREATE TABLE places (id text, at timestamp); INSERT INTO places VALUES ('ё', '2024-01-01'), ('я', '2024-01-02')",
    );
    const graph = graphText('  - { activityName: A, dataObject: places, key: id, startTimestamp: at }\n');
    const sources = postgresqlSources(server, other);
    await withProject(
      { 'entity-sources.yaml': sources, 'graph.entity.yaml': graph + sourceSettings },
      async (project) => {
        const built = await project.import();
        assert.equal(built.status, 'imported', built.error?.message);
        const fetched = await project.import({ request: { kind: 'fetch' } });
        assert.equal(fetched.status, 'imported', fetched.error?.message);
        const keys = await project.read(
          async (store) => (await store.table('SELECT key FROM entity ORDER BY id')).rows,
        );
        assert.deepEqual(keys.flat(), ['ё', 'я']);
      },
    );
  });

  it('the copy can be exported, and compared with the previous copy', async () => {
    const graph = graphText(customers + orders + lines, places) + sourceSettings;
    await withProject(files(graph), async (project) => {
      const path = join(project.folder, 'graph.entity.yaml');
      const projectContext = {
        ...noSecrets,
        workspaceFolderOf: () => project.folder,
      };
      const signal = new AbortController().signal;
      const file = async () => readGraphFile(path, projectContext);
      const output = join(project.folder, 'out');
      await project.import();
      await assert.rejects(
        async () => exportGraph(await file(), projectContext, { format: 'csv', output, signal }),
        /in the schema ekg of its data source/,
      );
      await project.import({ request: { kind: 'fetch' } });
      await exportGraph(await file(), projectContext, { format: 'csv', output, signal });
      assert.match(await readFile(join(output, 'entity.csv'), 'utf8'), /^id,entity_type,key\n1,/);

      await server.query(database, "INSERT INTO customers VALUES ('new', '2024-05-05', 'New')");
      await project.import();
      await project.import({ request: { kind: 'fetch' } });
      const diff = await diffGraph(await file(), projectContext, signal);
      assert.ok(
        diff.changes.entities.some((each) => each.new === 1),
        JSON.stringify(diff),
      );
      // Fetching again changes neither the compared tables nor the number of stores.
      await project.import({ request: { kind: 'fetch' } });
      const again = await diffGraph(await file(), projectContext, signal);
      assert.deepEqual({ ...again, after: { ...again.after, store: diff.after.store } }, diff);
      const stores = await readdir(join(project.folder, '.entity-graph/graphs/graph'));
      assert.equal(stores.filter((name) => name.endsWith('.duckdb')).length, 2, stores.join());
      await server.query(database, "DELETE FROM customers WHERE id = 'new'");
    });
  });

  it('is refused when the graph in the source is missing or from another import, and keeps the status', async () => {
    const graph = graphText(customers) + sourceSettings;
    await withProject(files(graph), async (project) => {
      const never = await project.import({ request: { kind: 'fetch' } });
      assert.deepEqual([never.status, never.error?.code], ['failed', 'graph-not-in-source']);
      assert.match(never.error?.remedy ?? '', /Import it first/);
      await project.import();
      const statusFile = statePaths.status(join(project.folder, '.entity-graph'), 'graph');
      const status = await readFile(statusFile, 'utf8');
      await withProject(files(graph), (other) => other.import());
      const replaced = await project.import({ request: { kind: 'fetch' } });
      assert.deepEqual([replaced.status, replaced.error?.code], ['failed', 'graph-not-in-source']);
      assert.match(replaced.error?.message ?? '', /that of another import/);
      await server.query(database, 'DROP SCHEMA ekg CASCADE');
      const gone = await project.import({ request: { kind: 'fetch' } });
      assert.match(gone.error?.message ?? '', /no graph in the schema ekg any more/);
      assert.equal(await readFile(statusFile, 'utf8'), status);
      assert.deepEqual(
        (await readdir(join(project.folder, '.entity-graph/graphs/graph')).catch(() => [])).filter(
          (name) => !name.startsWith('rows'),
        ),
        [],
      );
    });
  });

  it('a cancelled fetch leaves no partial copy', async () => {
    const graph = graphText(customers + orders, places) + sourceSettings;
    await withProject(files(graph), async (project) => {
      await project.import();
      const abort = new AbortController();
      const cancelled = await project.import({
        request: { kind: 'fetch' },
        signal: abort.signal,
        onProgress: ({ step }) => step === 'post-load checks' && abort.abort(),
      });
      assert.equal(cancelled.status, 'cancelled');
      const where = ['--workspace', project.folder];
      const run = (...args: readonly string[]) => runCommand([...args, ...where], project.folder);
      const refused = await run('map', 'graph.entity.yaml', '--output', 'map.svg');
      assert.match(refused.stderr, /entity-graph fetch/);
      for (const [command, ...options] of [
        ['analyze'],
        ['variants'],
        ['entities'],
        ['why', '--outcome', 'slower:1d'],
      ]) {
        const { code, stdout } = await run(command ?? '', 'graph.entity.yaml', ...options, '--format', 'json');
        const { error } = JSON.parse(stdout) as { error: { code: string; remedy: string } };
        assert.deepEqual([code, error.code], [1, 'fetch-first']);
        assert.match(error.remedy, /entity-graph fetch/);
      }
      const fetched = await run('fetch', 'graph.entity.yaml', '--steps');
      assert.equal(fetched.code, 0, fetched.stderr);
      assert.match(fetched.stdout, /directly_follows +\d+/);
      const drawn = await run('map', 'graph.entity.yaml', '--output', 'map.svg');
      assert.equal(drawn.code, 0, drawn.stderr);
      assert.equal((await run('analyze', 'graph.entity.yaml')).code, 0);
    });
  });
});
