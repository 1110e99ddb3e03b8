import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import { importGraph } from './samples-import.ts';
import { csvSources, graphText, postgresqlSources } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const elements = `  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: [amount] }
  - { activityName: Win, dataObject: customers, key: id, startTimestamp: since }
`;
const relationships = `  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n`;
const graph = graphText(elements, relationships);

describe('plan command', () => {
  it('lists every step that the import reports with rows and duration', async () => {
    const folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graph,
      'orders.csv': 'id,customer,at,amount\n1,7,2024-01-02,5\n2,7,2024-01-03,6\n',
      'customers.csv': 'id,since\n7,2024-01-01\n',
    });
    try {
      const plan = await planOf(folder);
      const names = plan.steps.map(({ name }) => name);
      assert.deepEqual(names, [
        ...['staging', 'unchanged'],
        ...['element_1', 'element_2', 'relationship_1', 'compression', 'times_1', 'times_2'],
        ...[
          'rows_1',
          'rows_2',
          'element_codes',
          'lifecycle_codes',
          'qualifier_codes',
          'entity',
          'sorted',
          'ranked',
          'coded_event',
          'event',
        ],
        ...[
          'properties_1',
          'properties_2',
          'coded_relation',
          'relation',
          'places',
          'correlated',
          'other_correlation',
          'event_entity',
          'ordered',
          'directly_follows',
          'ordered_middle',
          'process_map',
          'process_map_activity',
          'process_map_path',
        ],
        ...['node_event', 'node_entity', 'edge_corr', 'edge_df', 'edge_rel'],
        ...['orders', 'customers', 'place', 'win', 'entity_event'],
        ...['counts', 'counts_1', 'counts_2', 'checks', 'pairs', 'time_range', 'run', 'publish', 'kept_rows'],
      ]);
      assert.ok(!(await readdir(folder)).includes('graphs'));
      const { steps } = await importGraph(`${folder}/graph.entity.yaml`, { cwd: folder });
      assert.deepEqual(
        (steps ?? []).map(({ name }) => name),
        names,
      );
      const rows = Object.fromEntries((steps ?? []).map((step) => [step.name, step.rows]));
      assert.deepEqual(
        [
          rows['element_1'],
          rows['entity'],
          rows['coded_event'],
          rows['other_correlation'],
          rows['directly_follows'],
          rows['edge_df'],
        ],
        [2, 3, 3, 4, 4, undefined],
      );
      const text = await runCommand(['import', 'graph.entity.yaml', '--steps', '--workspace', folder], folder);
      assert.match(text.stdout, /\nelement_1 \(unchanged, not pulled again\) +2 +\d+\n/);
      const full = await runCommand(
        ['import', 'graph.entity.yaml', '--steps', '--full', '--workspace', folder],
        folder,
      );
      assert.match(full.stdout, /\ndirectly_follows +4 +\d+\n/);
    } finally {
      await removeFolder(folder);
    }
  });

  it('shows the statements run by PostgreSQL, without a password', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(
      database,
      'CREATE TABLE orders (id int PRIMARY KEY, customer int, at timestamptz, amount numeric)',
    );
    await server.query(database, 'CREATE TABLE customers (id int PRIMARY KEY, since date)');
    const folder = await folderWith({
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': graph,
    });
    try {
      const text = JSON.stringify(await planOf(folder));
      assert.match(text, /COPY \(SELECT/);
      assert.match(text, /REPEATABLE READ/);
      assert.ok(!text.includes(server.password));
    } finally {
      await removeFolder(folder);
    }
  });

  it('explains why there is no plan', async () => {
    const folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graph.replace('startTimestamp: at', 'startTimestamp: amount'),
      'orders.csv': 'id,customer,at,amount\n1,7,2024-01-02,5\n',
      'customers.csv': 'id,since\n7,2024-01-01\n',
    });
    try {
      const run = await runCommand(['plan', 'graph.entity.yaml', '--workspace', folder, '--format', 'json'], folder);
      const { error } = JSON.parse(run.stdout) as { error: { code: string; range: unknown } };
      assert.equal(run.code, 1);
      assert.ok(error.range, run.stdout);
    } finally {
      await removeFolder(folder);
    }
  });
});

async function planOf(folder: string): Promise<ImportPlanView> {
  const run = await runCommand(['plan', 'graph.entity.yaml', '--workspace', folder, '--format', 'json'], folder);
  assert.equal(run.code, 0, run.stderr);
  return JSON.parse(run.stdout) as ImportPlanView;
}
