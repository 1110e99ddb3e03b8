import assert from 'node:assert/strict';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { createConnector } from '../support/create-connector.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { buildElementQuery } from '../../server/src/query/build-query.ts';
import type { CompiledQuery, QueryStep } from '../../server/src/query/compiled-query.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';

/** One row per import: the settings, its elements, and the number of planned requests at first and without changes. */
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
  // Sixty records are six pages.
  [
    'in ranges of the needed records',
    { pageSize: 10 },
    ['incident, startTimestamp: opened_at, where: priority = 1 AND state <> 8'],
    3,
    3,
  ],
  [
    'in one range of a little',
    { pageSize: 10 },
    ["incident, startTimestamp: opened_at, where: number = 'INC0000007'"],
    2,
    2,
  ],
  [
    'of a rolling time window',
    { pageSize: 100 },
    ['incident, startTimestamp: opened_at, where: opened_at >= current_date - 20000'],
    2,
    2,
  ],
  [
    'of changes in a rolling time window',
    { pageSize: 200, incremental: true },
    ['incident, startTimestamp: opened_at, where: opened_at >= current_date - 20000'],
    5,
    2,
  ],
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
  ['of changes', { incremental: true }, ['incident, startTimestamp: opened_at'], 4, 2],
  [
    'of changes, filtered',
    { incremental: true, pageSize: 200 },
    ['incident, startTimestamp: opened_at, where: state = 1'],
    5,
    2,
  ],
  [
    'of changes that mostly do not match the filter',
    { incremental: true, pageSize: 200 },
    ["incident, startTimestamp: opened_at, where: number = 'INC0000007'"],
    5,
    2,
  ],
  [
    'of changes of the audit trail',
    { incremental: true, pageSize: 200 },
    ["sys_audit, key: documentkey, startTimestamp: sys_created_on, where: tablename = 'incident'"],
    3,
    2,
  ],
  [
    'of records that change with other records',
    { incremental: true, pageSize: 200, dotWalked: { incident: ['caller_id.name'] } },
    ['incident, startTimestamp: opened_at, properties: [caller_id.name]'],
    2,
    2,
  ],
];

describe('ServiceNow requests shown in an import plan', () => {
  for (const [what, settings, elements, shown, next] of imports) {
    it(`match the sent requests: ${what}`, async () => {
      await withState(async (simulator, folder) => {
        for (const count of [shown, next]) {
          const { steps, sent } = await importOnce(simulator, folder, settings, elements);
          assert.ok(steps.every(({ text }) => !text.includes(simulator.logins.password)));
          const planned = steps.filter((step) => !isConditional(step)).flatMap(urlsOf);
          assert.equal(planned.length, count, steps.map(({ title }) => title).join('\n'));
          assertEqualRequests(sent, planned);
        }
      });
    });
  }

  it('match the sent requests after changes and deletions', async () => {
    for (const where of ['', ', where: state = 1']) {
      const elements = [`incident, startTimestamp: opened_at${where}`];
      const settings = { incremental: true, pageSize: 20 };
      await withState(async (simulator, folder) => {
        const rows = simulator.instance.data.get('incident') ?? [];
        await importOnce(simulator, folder, settings, elements);
        const stamp = { sys_updated_on: '2024-06-01 10:00:00' };
        for (const change of [
          () => Object.assign(rows[7] ?? {}, { ...stamp, state: '1' }),
          () => rows.slice(0, 50).forEach((record) => Object.assign(record, { ...stamp, state: '1' })),
          () => rows.splice(0, 25),
        ]) {
          change();
          const { steps, sent } = await importOnce(simulator, folder, settings, elements);
          const conditional = steps.filter(isConditional).flatMap(urlsOf);
          const needed = steps.filter((step) => !isConditional(step)).flatMap(urlsOf);
          const isIn = (list: readonly string[], url: string): boolean =>
            list.some((each) => firstOf(each) === firstOf(url));
          assertEqualRequests(
            sent.filter((url) => isIn(needed, url) || !isIn(conditional, url)),
            needed,
          );
        }
      });
    }
  });
});

/** Whether the requests of a step depend on the results of others. */
function isConditional({ title }: QueryStep): boolean {
  return title.includes('; only where');
}

/** Every sent request is planned, or a further page of a planned one; every planned request is sent. */
function assertEqualRequests(sent: readonly string[], planned: readonly string[]): void {
  const firsts = new Set(planned.map(firstOf));
  assert.deepEqual(
    sent.filter((url) => !firsts.has(firstOf(url))),
    [],
    'sent, but not planned',
  );
  assert.deepEqual(
    planned.filter((url) => !sent.includes(url)),
    [],
    'planned, but not sent',
  );
}

/** The request for the first page, in place of a further one. */
function firstOf(url: string): string {
  const address = new URL(url);
  const query = address.searchParams.get('sysparm_query') ?? '';
  address.searchParams.set('sysparm_query', query.replace(/(?<=^|\^)sys_id>=?[0-9a-f]+(?:\^|$)/g, ''));
  address.searchParams.delete('sysparm_no_count');
  return address.href;
}

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

/** The plan of an import, and the addresses that it then requests. */
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
  const context = { folder, stateFolder: folder, ...noSecrets };
  const connector = await createConnector(source, context);
  try {
    const queries = await queriesOf(connector, elements);
    const [query] = queries;
    assert.ok(query);
    const begun = simulator.requests.length;
    const steps = await connector.steps(query, { kind: 'import', queries });
    const asked = simulator.requests.slice(begun);
    assert.ok(
      asked.every(({ path }) => path.includes('/stats/')),
      'showing needs no record',
    );
    const before = simulator.requests.length;
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
