import assert from 'node:assert/strict';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { createServiceNowConnector } from '../../server/src/connectors/servicenow/connector.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { buildElementQuery } from '../../server/src/query/build-query.ts';
import type { CompiledQuery, QueryStep } from '../../server/src/query/compiled-query.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { noValues } from '../../server/src/connectors/no-values.ts';

/** One row an import: the settings, its elements, and how many requests it is shown with the first time and the next. */
const imports: readonly (readonly [
  what: string,
  settings: object,
  elements: readonly string[],
  shown: number,
  next: number,
])[] = [
  ['of a small table', { pageSize: 100 }, ['incident, startTimestamp: opened_at'], 2, 2],
  // 300 records are 30 pages: four ranges at a time.
  ['in ranges of keys', { pageSize: 10 }, ['incident, startTimestamp: opened_at'], 5, 5],
  ['in ranges one by one', { pageSize: 10, concurrency: 1 }, ['incident, startTimestamp: opened_at'], 3, 3],
  [
    'of two elements of one table',
    { pageSize: 200 },
    [
      'incident, startTimestamp: opened_at, where: state = 1',
      'incident, startTimestamp: resolved_at, where: state = 6, properties: [priority]',
    ],
    2,
    2,
  ],
  ['of changes', { incremental: true }, ['incident, startTimestamp: opened_at'], 4, 5],
  [
    'of changes, filtered',
    { incremental: true, pageSize: 200 },
    ['incident, startTimestamp: opened_at, where: state = 1'],
    3,
    6,
  ],
  [
    'of changes of the audit trail',
    { incremental: true, pageSize: 200 },
    ["sys_audit, key: documentkey, startTimestamp: sys_created_on, where: tablename = 'incident'"],
    3,
    5,
  ],
  [
    'of what changes with other records',
    { incremental: true, pageSize: 200, dotWalked: { incident: ['caller_id.name'] } },
    ['incident, startTimestamp: opened_at, properties: [caller_id.name]'],
    2,
    2,
  ],
];

describe('requests of an import from the platform', () => {
  for (const [what, settings, elements, shown, next] of imports) {
    it(`are shown as they are sent: ${what}`, async () => {
      await withState(async (simulator, folder) => {
        for (const count of [shown, next]) {
          const { steps, sent } = await importOnce(simulator, folder, settings, elements);
          const isFallback = ({ title }: QueryStep): boolean => title.includes('; all of them, where that count');
          const urls = steps.filter((step) => !isFallback(step)).flatMap(urlsOf);
          assert.equal(urls.length, count, steps.map(({ title }) => title).join('\n'));
          // What is sent besides are further pages; some are sent at the same time.
          const first = sent.filter((url) => urls.includes(url) || !/sys_id%3E[0-9a-f]/.test(url));
          // Counts are asked for before and after, as their titles say.
          const once = [...new Set(first)];
          assert.deepEqual(once.toSorted(), [...new Set(urls)].toSorted());
          assert.ok(steps.every(({ text }) => !text.includes(simulator.logins.password)));
        }
      });
    });
  }
});

async function withState(use: (simulator: Simulator, folder: string) => Promise<void>): Promise<void> {
  const folder = await folderWith({});
  const simulator = await startSimulator({ incidents: 300 });
  try {
    await use(simulator, folder);
  } finally {
    await simulator.close();
    await removeFolder(folder);
  }
}

/** What is shown of an import, and the addresses of what it then sends. */
async function importOnce(
  simulator: Simulator,
  folder: string,
  settings: object,
  elements: readonly string[],
): Promise<{ readonly steps: readonly QueryStep[]; readonly sent: readonly string[] }> {
  const source = dataSource(
    'itsm',
    instanceSettings(simulator, { tables: ['incident', 'sys_audit', 'sys_user'], ...settings }),
  );
  const context = { folder, stateFolder: folder, ...noValues };
  const connector = await createServiceNowConnector(source, context);
  try {
    const queries = await queriesOf(connector, elements);
    const before = simulator.requests.length;
    const [query] = queries;
    assert.ok(query);
    const steps = await connector.steps(query, { kind: 'import', queries });
    assert.equal(simulator.requests.length, before, 'showing needs no request');
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, { queries });
      for (const [index, each] of queries.entries()) await pull.load(each, `t${index}`, {});
      await pull.close();
    });
    return {
      steps: steps.filter(({ kind }) => kind === 'http'),
      sent: simulator.requests.slice(before).map((request) => urlOf(simulator, request)),
    };
  } finally {
    await connector.close();
  }
}

async function queriesOf(connector: Connector, elements: readonly string[]): Promise<readonly CompiledQuery[]> {
  const lines = elements.map((element, index) => `  - { activityName: A${index}, dataObject: ${element} }`);
  const { graph } = parseEntityGraph(`version: 1\nname: T\ndataSource: itsm\nelements:\n${lines.join('\n')}\n`);
  const catalog = await connector.describe({});
  return graph.elements.map((element) => {
    const built = buildElementQuery(graph, element, catalog);
    if (!('query' in built)) throw new Error(built.problems.map(({ message }) => message).join('\n'));
    return built.query;
  });
}

function urlsOf({ text }: QueryStep): readonly string[] {
  return [...text.matchAll(/^GET (\S+)$/gm)].map(([, url = '']) => url);
}

function urlOf({ url }: Simulator, { path, parameters }: SimulatedRequest): string {
  return `${url}${path}?${parameters.toString()}`;
}
