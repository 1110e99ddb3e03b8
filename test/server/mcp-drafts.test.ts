import assert from 'node:assert/strict';
import { cp, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { readExpectations } from '../engine/expected-drafts.ts';
import { queryDuckDb } from '../engine/samples-import.ts';
import { projectRoot } from '../support/doc-pages.ts';
import { chinook } from '../support/chinook.ts';
import { ownTables, tutorialLog } from '../support/draft-tables.ts';
import { postgresqlSources } from '../support/import-text.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

type Answer = Readonly<Record<string, unknown>>;
type Call = (tool: string, args: object) => Promise<Answer>;

const file = 'drafted.entity.yaml';

/** Passes `use` the tools of a folder. */
async function withTools<T>(
  folder: string,
  use: (call: Call) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const client = new Client({ name: 'script', version: '1' });
  const args = [cliPath, 'mcp', folder, '--allow', 'reach,edit'];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...(process.env as Record<string, string>), ...env },
    }),
  );
  try {
    return await use(async (name, given) => {
      const options = { timeout: 280_000 };
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...given } }, options);
      assert.notEqual(isError, true, `${name}: ${JSON.stringify(content)}`);
      return structuredContent as Answer;
    });
  } finally {
    await client.close();
  }
}

/**
 * Writes and imports a graph as an agent may, by rules: the draft as it is, if it has no errors; then a name, by an edit
 * of meaning whose effect must be none.
 */
async function modelByTools(call: Call, source: string): Promise<void> {
  const tables = (await call('describe_source', { source }))['items'] as readonly unknown[];
  assert.notEqual(tables.length, 0);
  const { text } = await call('draft_graph', { source });
  const proposal = await call('propose_edit', { file, text });
  assert.equal(proposal['hasNewErrors'], false, JSON.stringify(proposal['diagnostics']));
  const { hash, written } = await call('apply_edit', { file, text });
  assert.equal(written, true);
  assert.equal((await call('import', { file }))['status'], 'imported');
  const edits = [{ kind: 'setGraphText', field: 'name', text: 'Drafted' }];
  const renamed = await call('propose_edit', { file, edits, effect: true });
  assert.deepEqual(
    (renamed['edits'] as readonly Answer[]).map(({ newText }) => newText),
    ['name: Drafted\n'],
  );
  const { state, changes } = renamed['effect'] as { state: string; changes: Answer };
  assert.equal(state, 'compared', JSON.stringify(renamed['effect']));
  for (const part of ['entities', 'events', 'relations'])
    for (const { before, after } of changes[part] as readonly Answer[]) assert.equal(before, after, part);
  assert.equal((await call('apply_edit', { file, edits, baseHash: hash }))['written'], true);
  assert.match(String((await call('read_graph', { file }))['text']), /^name: Drafted$/mu);
}

/** Rows of an answer as text, so that numbers of other types compare. */
const rowsOf = (answer: Answer): readonly string[] =>
  (answer['rows'] as readonly (readonly unknown[])[]).map((row) => row.map(String).join(' ')).toSorted();

/** Logs with what an expert chose in them (test/data/drafts.json), the settings of their source, and how they are read. */
const logs: Readonly<
  Record<string, { readonly path?: string; readonly text?: () => string; readonly settings?: string }>
> = {
  'incident_event_log.csv': {
    path: 'samples/incidents/data/incident_event_log.csv',
    settings: `, nullValues: ['?'], timestampFormat: '%d-%m-%Y %H:%M'`,
  },
  'incident_event_log_120k.csv': {
    path: 'test/data/incident_event_log_120k.csv.gz',
    settings: `, nullValues: ['?'], timestampFormat: '%d/%m/%Y %H:%M'`,
  },
  'bpic13_volvo_vinst.csv': { path: 'test/data/bpic13_volvo_vinst.csv.gz' },
  'tutorial.csv': { text: tutorialLog },
  ...Object.fromEntries(
    ['hospital.csv', 'auftraege.csv', 'machines.jsonl', 'claims.csv', 'pm4py.csv'].map((name) => [
      name,
      { text: ownTables[name] },
    ]),
  ),
};

describe('a graph by tools alone', () => {
  for (const [name, { path, text, settings = '' }] of Object.entries(logs)) {
    it(`has the events of each activity and the entities that an expert finds in ${name}`, async () => {
      const data = path === undefined ? name : basename(path);
      const content = path === undefined ? (text?.() ?? '') : await readFile(join(projectRoot, path));
      const folder = await folderWith({
        'entity-sources.yaml': `version: 1\ndataSources:\n  shop: { kind: csv, path: "data/*"${settings} }\n`,
        [`data/${data}`]: content,
      });
      try {
        await withTools(folder, async (call) => {
          await modelByTools(call, 'shop');
          const expert = (await readExpectations())[name] as unknown as Expert;
          const raw = rawTable(join(folder, 'data', data));
          const counts = await queryDuckDb(eventsByExpert(expert, raw));
          const by = expert.activity ? 'activity' : "'all'";
          const sql = `SELECT ${by} AS a, count(*) FROM event WHERE lifecycle IS DISTINCT FROM 'end' GROUP BY ALL`;
          const found = await call('query', { file, sql, limit: 1000 });
          assert.deepEqual(rowsOf(found), counts.map(({ a, n }) => `${String(a)} ${String(n)}`).toSorted());
          const keys = await Promise.all(
            choices(expert.key).map((key) => queryDuckDb(`SELECT count(DISTINCT "${key}")::INT AS n FROM ${raw}`)),
          );
          const { entities } = await call('variants', { file, limit: 1 });
          assert.ok(
            keys.some(([row]) => row?.['n'] === entities),
            `${String(entities)} ${JSON.stringify(keys)}`,
          );
        });
      } finally {
        await removeFolder(folder);
      }
    });
  }

  it('has the customers, materials, orders, deliveries and payments of the sample order-to-cash', async () => {
    const folder = await folderWith({ 'x.txt': '' });
    try {
      await cp(join(projectRoot, 'samples/order-to-cash'), folder, { recursive: true });
      const graph = 'order-to-cash.entity.yaml';
      await rm(join(folder, '.entity-graph'), { recursive: true, force: true });
      assert.equal((await runCli(['import', graph], { cwd: folder })).code, 0);
      await withTools(folder, async (call) => {
        await modelByTools(call, 'erp');
        const sql = 'SELECT entity_type, count(*) FROM entity GROUP BY ALL';
        const countsOf = async (of: string): Promise<Map<string, string>> =>
          new Map(
            rowsOf(await call('query', { file: of, sql })).map((row) => [
              row.replace(/ \d+$/u, ''),
              row.replace(/.* /u, ''),
            ]),
          );
        const [expert, drafted] = [await countsOf(graph), await countsOf(file)];
        for (const [type, ofDraft] of Object.entries(orderToCashTypes))
          assert.equal(
            drafted.get(ofDraft),
            expert.get(type),
            `${type}: ${JSON.stringify([...expert])} ${JSON.stringify([...drafted])}`,
          );
      });
    } finally {
      await removeFolder(folder);
    }
  });
});

/** Rows of an answer of `query` with two columns. */
const pairsOf = (answer: Answer): ReadonlyMap<string, number> =>
  new Map((answer['rows'] as readonly (readonly unknown[])[]).map(([name, n]) => [String(name), Number(n)]));
const typesSql = 'SELECT entity_type, count(*) FROM entity GROUP BY ALL';
const eventsSql =
  "SELECT concat_ws(' ', activity, lifecycle), count(*) FROM event WHERE lifecycle IS DISTINCT FROM 'end' GROUP BY ALL";

describe('a graph of a database by tools alone', () => {
  let server: TestPostgres;
  before(async () => (server = await sharedPostgres()));

  it('has the entities and events of the sample Northwind', async () => {
    const folder = await folderWith({ 'x.txt': '' });
    try {
      const env = await loadSampleDatabase(server);
      await cp(join(projectRoot, 'samples/northwind'), folder, { recursive: true });
      await rm(join(folder, '.entity-graph'), { recursive: true, force: true });
      const graph = 'northwind.entity.yaml';
      const imported = await runCli(['import', graph], { cwd: folder, env });
      assert.equal(imported.code, 0, imported.stderr);
      await withTools(
        folder,
        async (call) => {
          await modelByTools(call, 'northwind');
          const expert = pairsOf(await call('query', { file: graph, sql: typesSql }));
          const drafted = pairsOf(await call('query', { file, sql: typesSql }));
          for (const [type, ofDraft] of Object.entries(northwindTypes))
            assert.equal(drafted.get(ofDraft), expert.get(type), type);
          const eventsOfExpert = pairsOf(await call('query', { file: graph, sql: eventsSql }));
          const events = pairsOf(await call('query', { file, sql: eventsSql }));
          for (const [activity, ofDraft] of Object.entries(northwindEvents))
            assert.equal(events.get(ofDraft), eventsOfExpert.get(activity), activity);
          assert.equal(events.size, Object.keys(northwindEvents).length, [...events.keys()].join());
        },
        env,
      );
    } finally {
      await removeFolder(folder);
    }
  });

  it('has the entities and events of tables like those of Chinook, with rows made up', async () => {
    const database = await server.createDatabase();
    await server.query(database, chinook);
    const folder = await folderWith({ 'entity-sources.yaml': postgresqlSources(server, database) });
    try {
      await withTools(folder, async (call) => {
        await modelByTools(call, 'shop');
        assert.deepEqual(
          Object.fromEntries(pairsOf(await call('query', { file, sql: typesSql }))),
          await countsIn(server, database, ['track', 'customer', 'employee', 'invoice', 'invoice_line']),
        );
        const { invoice, employee } = await countsIn(server, database, ['invoice', 'employee']);
        assert.deepEqual(Object.fromEntries(pairsOf(await call('query', { file, sql: eventsSql }))), {
          'Record Invoice start': invoice,
          'Hire Employee start': employee,
        });
      });
    } finally {
      await removeFolder(folder);
    }
  });
});

async function countsIn(
  server: TestPostgres,
  database: string,
  tables: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await server.query(database, `SELECT count(*)::int AS n FROM ${table}`);
    counts[table] = Number(row?.['n']);
  }
  return counts;
}

/** Entity types and events of the expert, and of the draft, which has no territories and does not know when customers were won. */
const northwindTypes = {
  customer: 'customers',
  order: 'orders',
  'order line': 'order_details',
  product: 'products',
  employee: 'employees',
};
const northwindEvents = {
  'Place Order start': 'Record Order start',
  'Place Order change': 'Record Order change',
  'Hire Employee start': 'Hire Employee start',
};

/** What an expert chose: a column with activities, or columns that are times of activities. */
interface Expert {
  readonly key: Choice;
  readonly activity?: Choice;
  readonly times?: readonly string[];
}

function eventsByExpert({ activity, times = [] }: Expert, raw: string): string {
  if (!activity)
    return `SELECT 'all' AS a, (${times.map((time) => `count("${time}")`).join(' + ')})::INT AS n FROM ${raw}`;
  return `SELECT "${choices(activity)[0] ?? ''}"::VARCHAR AS a, count(*)::INT AS n FROM ${raw} GROUP BY ALL`;
}

type Choice = readonly string[] | { readonly any: readonly string[] };
const choices = (choice: Choice): readonly string[] => ('any' in choice ? choice.any : choice);

function rawTable(path: string): string {
  return path.endsWith('.jsonl')
    ? `read_json('${path}')`
    : `read_csv('${path}', all_varchar = true, nullstr = ['?', ''])`;
}

/** Entity types of the expert, and of the draft. Cancelled invoices are rows of their own, which only a person knows. */
const orderToCashTypes = { customer: 'KNA1', material: 'MARA', order: 'VBAK', delivery: 'LIKP', payment: 'FEBEP' };
