import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { describeEntity } from '../../server/src/operations/graph-files/list-entities.ts';
import { drawProcessMap } from '../../server/src/operations/stored-graphs/draw-process-map.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { openStore, openUnpublishedStore } from '../../server/src/store/duckdb-store.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';
import { runCli } from '../support/run-cli.ts';

const keep = { request: { kind: 'build', usesKeptRows: true } } as const;

const order = '{ activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed }';
const oneSource = `version: 1\ndataSource: shop\nelements:\n  - ${order}\n`;
const orders = 'id,placed\n1,2024-07-03 10:00:00\n';

const elkProgram = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');

const call =
  '{ activityName: Call, dataSource: calls, dataObject: tickets, key: id, entityType: ticket, startTimestamp: opened }';
const twoSources = `version: 1\ndataSource: shop\nelements:\n  - ${call}\n  - ${order}\n`;
const tickets = 'id,opened\nt1,2024-07-03 10:00:00\n';

/** An interface with orders; `halt` ends it. */
async function startShop(): Promise<{ readonly url: string; halt(): Promise<void> }> {
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify([{ id: 1, placed: '2024-07-03T10:00:00Z' }]));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async halt() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Describes an endpoint of that interface, so that nothing is asked before rows are read. */
const openApi = (path: string): string => {
  const properties = { id: { type: 'integer' }, placed: { type: 'string', format: 'date-time' } };
  const schema = { type: 'array', items: { type: 'object', properties } };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  return JSON.stringify({ openapi: '3.0.3', paths: { [path]: { get: { responses } } } });
};

async function imported(project: ImportedProject, options = {}) {
  const summary = await project.import(options);
  assert.equal(summary.status, 'imported', JSON.stringify(summary.error));
  return summary;
}

/** Where a graph says which of its rows are kept ones. */
async function marksOf(project: ImportedProject) {
  const path = join(project.folder, 'graph.entity.yaml');
  const projectContext = {
    permitUses: permitAllUses,
    readSecret: async () => undefined,
    environment: {},
    workspaceFolderOf: () => project.folder,
  };
  const { keptRows } = await describeEntity(path, projectContext);
  const [[counts]] = (await project.rows('SELECT CAST(counts AS VARCHAR) FROM run')) as [[string]];
  const run = JSON.parse(counts) as { dataSources?: readonly { name: string; isKept?: boolean }[] };
  const file = await readGraphFile(path, projectContext);
  const { signal } = new AbortController();
  const { svg } = await drawProcessMap(file, projectContext, { of: 'all types' }, { elkProgram, signal });
  return {
    status: keptRows?.map(({ dataSource }) => dataSource),
    run: run.dataSources?.flatMap(({ name, isKept }) => (isKept ? [name] : [])),
    map: /Rows of [^:]*: kept from/.exec(svg.replaceAll(/<\/?text[^>]*>/g, ' '))?.[0],
  };
}

describe('kept rows', () => {
  it('of the only data source of a graph are marked in the run record, the status and the map', async () => {
    const files = {
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "data/orders.csv" }\n',
      'data/orders.csv': orders,
      'graph.entity.yaml': oneSource,
    };
    await withProject(files, async (project) => {
      await imported(project);
      await rm(join(project.folder, 'data/orders.csv'));
      const failed = await project.import();
      assert.deepEqual([failed.error?.code, failed.error?.hasKeptRows], ['file-missing', true]);
      assert.doesNotMatch(failed.error?.message ?? '', /^Data source shop: Data source/);
      const printed = await runCli(['import', join(project.folder, 'graph.entity.yaml')]);
      assert.equal(printed.code, 1);
      assert.match(
        printed.stderr,
        /\[file-missing\]\n.*\n {2}Rows of this data source are kept from an earlier import: --sources-down keep takes them\.\n$/,
      );
      const { dataSources = [] } = await imported(project, keep);
      assert.deepEqual(
        dataSources.map(({ name, isKept }) => ({ name, isKept })),
        [{ name: 'shop', isKept: true }],
      );
      assert.deepEqual(await marksOf(project), { status: ['shop'], run: ['shop'], map: 'Rows of shop: kept from' });
      await project.write({ 'data/orders.csv': orders });
      await imported(project, keep);
      assert.deepEqual(await marksOf(project), { status: undefined, run: undefined, map: undefined });
    });
  });

  it('do not exist for a data source whose row cache is turned off', async () => {
    const files = {
      'entity-sources.yaml': `version: 1
dataSources:
  calls: { kind: csv, path: "calls/tickets.csv" }
  shop: { kind: csv, path: "data/orders.csv", incremental: false }
`,
      'calls/tickets.csv': tickets,
      'data/orders.csv': orders,
      'graph.entity.yaml': twoSources,
    };
    await withProject(files, async (project) => {
      await imported(project);
      const cache = join(project.folder, '.entity-graph/graphs/graph/rows.kept');
      const store = await openStore(cache);
      const kept = await store.query('SELECT source_rows FROM kept_rows').finally(() => store.close());
      assert.equal(kept.length, 1);
      await rm(join(project.folder, 'data/orders.csv'));
      const { error } = await project.import(keep);
      assert.equal(error?.remedy, 'No rows of shop are kept, because its setting incremental is false.');
    });
  });

  describe('of several files', () => {
    const withFiles = async (use: (project: ImportedProject) => Promise<void>) => {
      const files = {
        'entity-sources.yaml': `version: 1
dataSources:
  calls: { kind: csv, path: "calls/tickets.csv" }
  shop: { kind: csv, path: "data/orders.csv" }
`,
        'calls/tickets.csv': tickets,
        'data/orders.csv': orders,
        'graph.entity.yaml': twoSources,
      };
      await withProject(files, async (project) => {
        await imported(project);
        await rm(join(project.folder, 'data/orders.csv'));
        await use(project);
      });
    };

    it('are not reported as unchanged, because an unreachable source cannot tell', async () => {
      await withFiles(async (project) => {
        const { steps, dataSources } = await imported(project, keep);
        assert.equal(dataSources?.find(({ name }) => name === 'shop')?.isKept, true);
        assert.deepEqual(
          steps?.flatMap(({ isUnchanged, rows }) => (isUnchanged === true ? [rows] : [])),
          [1],
        );
      });
    });

    it('are reported with the name of their element when damaged', async () => {
      await withFiles(async (project) => {
        const cache = await openUnpublishedStore(join(project.folder, '.entity-graph/graphs/graph/rows.kept'));
        const tables = await cache.query('SELECT "table" AS name FROM kept_rows');
        for (const { name } of tables) await cache.run(`DELETE FROM "${String(name)}"`);
        await cache.close();
        const { error } = await project.import(keep);
        assert.equal(error?.code, 'file-missing');
        assert.match(error.message, /^Data source shop: /);
        assert.equal(
          error.remedy,
          'No rows of shop were kept for "Order" as it is now: import once when shop can be reached.',
        );
      });
    });
  });

  describe('of settings with references', () => {
    afterEach(() => {
      delete process.env['SHOP_FOLDER'];
    });

    it('are not used with another value of a variable', async () => {
      const files = {
        'entity-sources.yaml':
          'version: 1\ndataSources:\n  shop: { kind: csv, path: "${env:SHOP_FOLDER}/orders.csv" }\n',
        'north/orders.csv': orders,
        'graph.entity.yaml': oneSource,
      };
      await withProject(files, async (project) => {
        process.env['SHOP_FOLDER'] = 'north';
        await imported(project);
        process.env['SHOP_FOLDER'] = 'south';
        const { error } = await project.import(keep);
        assert.equal(error?.code, 'file-missing');
        process.env['SHOP_FOLDER'] = 'north';
        await rm(join(project.folder, 'north/orders.csv'));
        const { dataSources } = await imported(project, keep);
        assert.equal(dataSources?.[0]?.isKept, true);
      });
    });
  });

  describe('of an interface', () => {
    const withShop = async (
      settings: string,
      api: string,
      use: (project: ImportedProject) => Promise<void>,
      graph = twoSources,
    ) => {
      const shop = await startShop();
      const files = {
        'entity-sources.yaml': `version: 1\ndataSources:\n  calls: { kind: csv, path: "calls/tickets.csv" }\n  shop: { kind: rest, baseUrl: "${shop.url}", ${settings} }\n`,
        'api.json': api,
        'calls/tickets.csv': tickets,
        'graph.entity.yaml': graph,
      };
      await withProject(files, async (project) => {
        await imported(project).finally(() => shop.halt());
        await use(project);
      });
    };

    it('are used if the interface turns out to be down while its rows are read', async () => {
      await withShop('openapi: api.json', openApi('/orders'), async (project) => {
        await project.write({ 'calls/tickets.csv': `${tickets}t2,2024-07-04 10:00:00\n` });
        const { dataSources = [] } = await imported(project, keep);
        assert.deepEqual(
          dataSources.map(({ name, rows, isKept }) => ({ name, rows, isKept })),
          [
            { name: 'shop', rows: 1, isKept: true },
            { name: 'calls', rows: 2, isKept: undefined },
          ],
        );
        assert.deepEqual(await project.rows('SELECT key FROM entity ORDER BY key'), [['1'], ['t1'], ['t2']]);
      });
    });

    it('are missing if the interface is the only source, and the remedy says which rows are kept', async () => {
      const expectMissing = async (project: ImportedProject) => {
        const { error } = await project.import(keep);
        assert.deepEqual([error?.code, error?.hasKeptRows], ['source-unreachable', undefined]);
        assert.doesNotMatch(error?.message ?? '', /^Data source shop: /);
        assert.equal(
          error?.remedy,
          'No rows of shop were kept for "Order" as it is now: of the only data source of a graph, those are kept whose changes it can tell. Import when shop can be reached.',
        );
      };
      await withShop('openapi: api.json', openApi('/orders'), expectMissing, oneSource);
    });

    it('are used if the readable description has only other endpoints while the interface is down', async () => {
      const settings = 'openapi: api.json, endpoints: [{ name: orders, path: /orders }]';
      await withShop(settings, openApi('/things'), async (project) => {
        const failed = await project.import();
        assert.equal(failed.status, 'failed');
        assert.match(failed.error?.message ?? '', /^Data source shop: /);
        assert.equal(failed.error?.hasKeptRows, true);
        const { dataSources = [] } = await imported(project, keep);
        assert.equal(dataSources.find(({ name }) => name === 'shop')?.isKept, true);
      });
    });
  });
});
