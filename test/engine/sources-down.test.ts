import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { drawProcessMap } from '../../server/src/operations/stored-graphs/draw-process-map.ts';
import { describeEntity } from '../../server/src/operations/graph-files/list-entities.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { readStatus } from '../../server/src/state/status-file.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';
import { type TestPostgres, startPostgres } from '../support/postgres.ts';

const tables = `CREATE TABLE orders (id int PRIMARY KEY, placed timestamp, contact text);
  INSERT INTO orders VALUES (1, '2024-07-01 12:00', 'ada'), (2, '2024-07-02 12:00', 'bob')`;

const graph = (conditions = '') => `version: 1
dataSource: calls
elements:
  - { activityName: Call, dataObject: tickets, key: id, entityType: ticket, startTimestamp: opened }
  - { activityName: Order, dataSource: shop, dataObject: orders, key: id, entityType: order, startTimestamp: placed${conditions} }
relationships:
  - { name: about, source: Order, target: Call, mappings: [{ source: contact, target: caller }] }
`;

const elkProgram = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');
const { signal } = new AbortController();

const keep = { request: { kind: 'build', usesKeptRows: true } } as const;
const pairs = `SELECT source.key, target.key FROM relation
  JOIN entity AS source ON source.id = source_entity_id JOIN entity AS target ON target.id = target_entity_id ORDER BY 1, 2`;

describe('data source that is down during an import', function () {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres({ settings: { synchronous_commit: 'on' } });
    await server.query('postgres', "CREATE ROLE clerk LOGIN PASSWORD 'secret'");
  });
  after(() => server.stop());

  let isHalted = false;
  const halt = async (): Promise<void> => {
    isHalted = true;
    await server.halt();
  };
  const startAgain = async (): Promise<void> => {
    isHalted = false;
    await server.startAgain();
  };
  const withShop = async (use: (project: ImportedProject) => Promise<void>): Promise<void> => {
    const database = await server.createDatabase();
    await server.query(database, `${tables}; GRANT SELECT ON orders TO clerk`);
    const { host, port } = server;
    const files = {
      'entity-sources.yaml': `version: 1
dataSources:
  calls: { kind: csv, path: "*.csv" }
  shop: { kind: postgresql, host: ${host}, port: ${port}, database: ${database}, user: clerk, password: secret }
`,
      'tickets.csv': 'id,opened,caller\nt1,2024-07-03 10:00:00,ada\n',
      'graph.entity.yaml': graph(),
    };
    try {
      await withProject(files, (project) => use(project));
    } finally {
      if (isHalted) await startAgain();
    }
  };
  const imported = async (project: ImportedProject, options = {}) => {
    const summary = await project.import(options);
    assert.equal(summary.status, 'imported', JSON.stringify(summary.error));
    return summary;
  };
  const projectContext = (folder: string) => ({
    permitUses: permitAllUses,
    readSecret: async () => undefined,
    environment: {},
    workspaceFolderOf: () => folder,
  });

  it('contributes its kept rows, and the others their new rows', async () => {
    await withShop(async (project) => {
      const first = await imported(project);
      const readAt = first.dataSources?.find(({ name }) => name === 'shop')?.readAt;
      await halt();
      await project.write({
        'tickets.csv': 'id,opened,caller\nt1,2024-07-03 10:00:00,ada\nt2,2024-07-04 10:00:00,bob\n',
      });
      const second = await imported(project, keep);
      assert.deepEqual(await project.rows(pairs), [
        ['1', 't1'],
        ['2', 't2'],
      ]);
      const [calls, shop] = second.dataSources ?? [];
      assert.deepEqual({ ...shop }, { name: 'shop', kind: 'postgresql', readAt, rows: 4, isKept: true });
      assert.equal(calls?.isKept, undefined);
      assert.match(
        second.warnings.join('\n'),
        /^The rows of shop are those kept from 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC, because it cannot be reached: .*127\.0\.0\.1/m,
      );
    });
  });

  it('is marked in the run record, the status and the map until it is read again', async () => {
    await withShop(async (project) => {
      await imported(project);
      await halt();
      const second = await imported(project, keep);
      const readAt = second.dataSources?.find(({ name }) => name === 'shop')?.readAt ?? '';
      const marks = async () => {
        const path = join(project.folder, 'graph.entity.yaml');
        const { keptRows } = await describeEntity(path, { workspaceFolderOf: () => project.folder });
        const [[counts]] = (await project.rows('SELECT CAST(counts AS VARCHAR) FROM run')) as [[string]];
        const file = await readGraphFile(path, projectContext(project.folder));
        const { svg } = await drawProcessMap(
          file,
          projectContext(project.folder),
          { of: 'all types' },
          { elkProgram, signal },
        );
        const run = JSON.parse(counts) as { dataSources: readonly { name: string; isKept?: boolean }[] };
        const kept = run.dataSources.filter(({ isKept }) => isKept).map(({ name }) => name);
        return {
          keptRows,
          kept,
          map: /Rows of shop: kept from [^<]*/.exec(svg.replaceAll(/<\/?text[^>]*>/g, ' '))?.[0],
        };
      };
      const marked = await marks();
      assert.deepEqual(marked.keptRows, [{ dataSource: 'shop', readAt }]);
      assert.deepEqual(marked.kept, ['shop']);
      assert.ok(marked.map?.includes(readAt.slice(0, 16).replace('T', ' ')), marked.map);
      // Down for longer: the rows stay those of the time at which they were read.
      const third = await imported(project, keep);
      assert.equal(third.dataSources?.find(({ name }) => name === 'shop')?.readAt, readAt);
      await startAgain();
      const fourth = await imported(project, keep);
      assert.ok((fourth.dataSources?.find(({ name }) => name === 'shop')?.readAt ?? '') > readAt);
      assert.deepEqual(await marks(), { keptRows: undefined, kept: [], map: undefined });
    });
  });

  it('fails the import with its name unless kept rows are requested, and changes nothing', async () => {
    await withShop(async (project) => {
      const first = await imported(project);
      await halt();
      const second = await project.import();
      assert.equal(second.status, 'failed');
      assert.equal(second.error?.code, 'source-unreachable');
      assert.match(second.error.message, /^Data source shop: .*127\.0\.0\.1/);
      assert.equal(second.error.hasKeptRows, true);
      const status = await readStatus(join(project.folder, '.entity-graph'), 'graph');
      assert.equal(join(project.folder, '.entity-graph/graphs/graph', status.store ?? ''), first.store);
    });
  });

  it('fails the import if no rows of exactly that query are kept', async () => {
    await withShop(async (project) => {
      await imported(project);
      await project.write({ 'graph.entity.yaml': graph(', where: id > 1') });
      await halt();
      const second = await project.import(keep);
      assert.equal(second.error?.code, 'source-unreachable');
      assert.match(second.error.message, /^Data source shop: /);
      assert.equal(
        second.error.remedy,
        'No rows of shop were kept for "Order" as it is now: import once when shop can be reached.',
      );
      const { error } = await project.import();
      assert.deepEqual([error?.code, error?.hasKeptRows], ['source-unreachable', undefined]);
    });
  });

  it('fails the import if it was never read with these settings', async () => {
    await withShop(async (project) => {
      await imported(project);
      const sources = JSON.stringify({
        version: 1,
        dataSources: {
          calls: { kind: 'csv', path: '*.csv' },
          shop: { kind: 'postgresql', host: '127.0.0.1', port: 1, database: 'other', user: 'ada', password: 'x' },
        },
      });
      await project.write({ 'entity-sources.yaml': sources });
      const second = await project.import(keep);
      assert.equal(second.error?.code, 'source-unreachable');
      assert.equal(
        second.error.remedy,
        'No rows of shop with these settings are kept: import once when it can be reached.',
      );
    });
  });

  it('fails the import if the kept rows were deleted', async () => {
    await withShop(async (project) => {
      await imported(project);
      await rm(join(project.folder, '.entity-graph/graphs/graph/rows.kept'));
      await halt();
      const second = await project.import(keep);
      assert.equal(second.error?.code, 'source-unreachable');
    });
  });

  it('fails for a wrong password although rows are kept, and does not offer these', async () => {
    await withShop(async (project) => {
      await imported(project);
      await server.query('postgres', "ALTER ROLE clerk PASSWORD 'another'");
      const { error } = await project.import();
      assert.equal(error?.code, 'authentication-failed');
      assert.match(error.message, /^Data source shop: /);
      assert.equal(error.hasKeptRows, undefined);
      const second = await project.import(keep);
      assert.equal(second.error?.code, 'authentication-failed');
    });
  });
});
