import assert from 'node:assert/strict';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import { openStore } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';

const graph = graphText(
  `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
  '  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n',
);
const guards = (severity: string): string => `guards:
  - { element: Place, losesAtMost: 10%, severity: ${severity} }
  - { relationship: places, unmatchedAtMost: 25%, side: target }
`;
const rows = (count: number): string =>
  `id,customer,at\n${Array.from({ length: count }, (_, id) => `${id},7,2024-01-02\n`).join('')}`;
const files = (severity: string) => ({
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': `${graph}${guards(severity)}`,
  'orders.csv': rows(20),
  'customers.csv': 'id,since\n7,2024-01-01\n8,2024-01-01\n',
});

const lost = 'Place has 10 events, 20 before: 50 % fewer, and its guard allows 10 %.';

async function acceptedIn(store: string | undefined): Promise<unknown> {
  const opened = await openStore(store ?? '');
  try {
    const [run] = await opened.query(`SELECT counts->>'acceptedGuards' AS accepted FROM run`);
    return run?.['accepted'];
  } finally {
    await opened.close();
  }
}

describe('guards', () => {
  it('of severity error stop an import before it is published, unless they are accepted once', () =>
    withProject(files('error'), async (project) => {
      const first = await project.import();
      assert.equal(first.status, 'imported', first.error?.message);
      await project.write({ 'orders.csv': rows(10) });
      const stopped = await project.import();
      assert.deepEqual([stopped.status, stopped.error?.code, stopped.error?.message], ['failed', 'guard-broken', lost]);
      assert.match(stopped.error?.remedy ?? '', /--accept-guards/);
      const { stdout } = await runCommand(['export', 'graph.entity.yaml', '--as', 'csv', '--output', 'out', '--workspace', project.folder], project.folder); // prettier-ignore
      assert.notEqual(stdout, '');
      // The earlier graph stays, also as what the next import is compared with.
      assert.equal((await project.import()).error?.code, 'guard-broken');
      const status = async () => {
        const found = await runCommand(['status', '--format', 'json', project.folder], project.folder);
        const [row] = JSON.parse(found.stdout) as { status: string; progress: string; failedWith?: string }[];
        return { ...found, row };
      };
      const after = await status();
      assert.deepEqual(
        [after.row?.status, after.row?.failedWith, after.row?.progress],
        ['Imported', 'guard-broken', `Import failed at post-load checks: ${lost}`],
      );
      assert.match(
        after.stderr,
        /^graph\.entity\.yaml: a guard has stopped the last import, and nothing was published\. The graph of .*Z is still in use\..* entity-graph import graph\.entity\.yaml --accept-guards$/m,
      );
      const args = ['import', 'graph.entity.yaml', '--workspace', project.folder, '--format', 'json'];
      const accepted = await runCommand([...args, '--accept-guards'], project.folder);
      const summary = JSON.parse(accepted.stdout.trim().split('\n').at(-1) ?? '') as { status: string; store: string; warnings: string[] }; // prettier-ignore
      assert.deepEqual([accepted.code, summary.status, summary.warnings.includes(lost)], [0, 'imported', true]);
      assert.equal(await acceptedIn(summary.store), JSON.stringify([lost]));
      const accepting = await status();
      assert.deepEqual([accepting.row?.failedWith, accepting.stderr], [undefined, '']);
      const next = await project.import();
      assert.deepEqual([next.status, await acceptedIn(next.store)], ['imported', null]);
    }));

  it('of severity warning warn, and a share of unmatched entities is one of the new graph', () =>
    withProject(files('warning'), async (project) => {
      await project.import();
      await project.write({ 'orders.csv': rows(10).replaceAll(/^([0-3]),7/gm, '$1,9') });
      const { status, warnings } = await project.import();
      assert.equal(status, 'imported');
      assert.deepEqual(warnings.filter((text) => text.includes('its guard')), [
        lost,
        'places: 4 of 10 entities of Place have no partner (40 %), and its guard allows 25 %.',
      ]); // prettier-ignore
    }));

  it('are listed by plan, with what the last whole import had', () =>
    withProject(files('error'), async (project) => {
      const plan = async (): Promise<readonly string[]> => {
        const args = ['plan', 'graph.entity.yaml', '--workspace', project.folder, '--format', 'json'];
        const { steps } = JSON.parse((await runCommand(args, project.folder)).stdout) as ImportPlanView;
        const at = steps.findIndex(({ name }) => name === 'guards');
        assert.equal(steps[at + 1]?.name, 'run');
        return steps[at]?.parts.flatMap(({ text }) => text.split('\n')) ?? [];
      };
      const unmatched = '-- places: at most 25 % of the entities of its target without a partner, otherwise a warning';
      assert.deepEqual(await plan(), [
        '-- Place: at most 10 % of its rows fewer, from the second import on, otherwise nothing is published',
        unmatched,
      ]);
      await project.import();
      assert.deepEqual(await plan(), [
        '-- Place: at most 10 % of its 20 events fewer, otherwise nothing is published',
        unmatched,
      ]);
    }));

  it('count one event as one', () =>
    withProject(files('error'), async (project) => {
      await project.import();
      await project.write({ 'orders.csv': rows(1) });
      assert.match((await project.import()).error?.message ?? '', /^Place has 1 event, 20 before: 95 % fewer/);
    }));

  it('have nothing to compare with in a first import, in slices, and for new elements; a slice is no base', () =>
    withProject({ ...files('error'), 'orders.csv': rows(10).replaceAll(',7,', ',9,') }, async (project) => {
      assert.equal((await project.import()).status, 'imported');
      await project.write({ 'orders.csv': rows(20) });
      assert.equal((await project.import()).status, 'imported');
      const sample = ['import', 'graph.entity.yaml', '--workspace', project.folder, '--sample', '2'];
      assert.equal((await runCommand(sample, project.folder)).code, 0);
      // Compared with the 20 events of the last whole import, not with the 2 of the sample.
      await project.write({ 'orders.csv': rows(10) });
      assert.equal((await project.import()).error?.message, lost);
      await project.write({ 'graph.entity.yaml': `${graph}${guards('error')}`.replaceAll('Place', 'Order') });
      assert.equal((await project.import()).status, 'imported');
    }));

  it('stop an import inside its source, too', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE orders AS SELECT id, 7 AS customer, timestamp '2024-01-02' AS at FROM generate_series(1, 20) AS id;
       CREATE TABLE customers (id int, since timestamp); INSERT INTO customers VALUES (7, '2024-01-01')`,
    );
    const text = `${graph}${guards('error')}import: { engine: source, schema: built }\n`;
    await withProject(
      { 'entity-sources.yaml': postgresqlSources(server, database), 'graph.entity.yaml': text },
      async (project) => {
        const first = await project.import();
        assert.equal(first.status, 'imported', first.error?.message);
        await server.query(database, 'DELETE FROM orders WHERE id > 10');
        const stopped = await project.import();
        assert.deepEqual([stopped.status, stopped.error?.code], ['failed', 'guard-broken']);
        const [count] = await server.query(database, 'SELECT count(*) AS n FROM built.event');
        assert.equal(Number(count?.['n']), 21);
        const args = ['import', 'graph.entity.yaml', '--workspace', project.folder, '--accept-guards'];
        assert.equal((await runCommand(args, project.folder)).code, 0);
      },
    );
  });
});
