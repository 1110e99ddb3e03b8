import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tools } from '../../server/src/mcp/tools.ts';
import { graphText, postgresqlSources } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const file = 'graph.entity.yaml';
const embedded = graphText('  - { activityName: Order, dataObject: orders, startTimestamp: at, properties: all }\n');
const inSource = `${embedded}import: { engine: source, schema: ekg }\n`;
const tests = `graph: ${file}
tests:
  - name: One
    given: { orders: [{ id: 1, at: "2024-01-01T00:00:00Z" }] }
    expect: { events: [{ activity: Order, time: "2024-01-01T00:00:00Z", entity: { type: orders, key: 1 } }] }
`;

/** What a tool needs besides the file. */
const further: Readonly<Record<string, object>> = {
  explain_format: { topic: 'import.engine' },
  complete_at: { line: 0, character: 0 },
  propose_edit: { text: inSource, effect: true },
  run_tests: { file: 'graph.entity.test.yaml' },
  query: { sql: 'SELECT 1' },
  entity_timeline: { key: '1' },
  why: { outcome: ['slower:1d'] },
  show_query: { element: 'Order' },
  test_query: { element: 'Order' },
};

describe('what tools write in a data source', () => {
  let server: TestPostgres;
  let database: string;
  let folder: string;
  const clients: Client[] = [];

  async function connect(...allowed: readonly string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const args = [cliPath, 'mcp', folder, ...(allowed.length > 0 ? ['--allow', allowed.join()] : [])];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: process.env as Record<string, string> }),
    );
    clients.push(client);
    return client;
  }
  const call = async (client: Client, name: string, given: object) => {
    const { content, structuredContent, isError } = await client.callTool(
      { name, arguments: { ...given } },
      { timeout: 200_000 },
    );
    const text = (content as { text?: string }[]).map((each) => each.text ?? '').join('\n');
    return { text, structured: structuredContent as Record<string, unknown> | undefined, isError: isError === true };
  };
  /** Every table, view and schema of the database. */
  const contents = async (): Promise<readonly string[]> => {
    const rows = await server.query(
      database,
      `SELECT n.nspname || '.' || coalesce(c.relname, '') AS name FROM pg_namespace n LEFT JOIN pg_class c ON c.relnamespace = n.oid
       WHERE n.nspname !~ '^(pg_|information_schema)' ORDER BY 1`,
    );
    return rows.map(({ name }) => String(name));
  };

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(
      database,
      "CREATE TABLE orders (id int PRIMARY KEY, at timestamptz); INSERT INTO orders VALUES (1, '2024-01-01'), (2, '2024-01-02')",
    );
    folder = await folderWith({
      'entity-sources.yaml': postgresqlSources(server, database),
      [file]: inSource,
      'graph.entity.test.yaml': tests,
    });
  });
  beforeEach(() => writeFile(join(folder, file), inSource));
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  after(() => removeFolder(folder));

  it('is nothing without --allow write, whatever tool is called, and import says what a person must do', async () => {
    const before = await contents();
    const client = await connect('reach', 'edit');
    const { tools: listed } = await client.listTools();
    const left = listed.map(({ name }) => name);
    assert.deepEqual(
      left,
      tools.map(({ name }) => name),
    );
    const callOne = async (tool: string): Promise<void> => {
      const { operand } = tools.find(({ name }) => name === tool) ?? {};
      const about = operand === 'file' ? { file } : operand === 'source' ? { source: 'shop' } : {};
      const { text } = await call(client, tool, { ...about, ...further[tool] });
      assert.doesNotMatch(text, /has no argument|needs [a-z]+:/u, tool);
    };
    // Each is a process.
    while (left.length > 0) await Promise.all(left.splice(0, 4).map(callOne));
    const { text, isError } = await call(client, 'import', { file });
    assert.equal(isError, true, text);
    assert.match(text, /"code":"not-allowed"/);
    assert.match(text, /shop may not be written to/);
    assert.match(text, /--allow reach,write/);
    assert.deepEqual(await contents(), before);
  });

  it('is nothing where an agent edits the engine of a graph, which it may import otherwise', async () => {
    const before = await contents();
    await writeFile(join(folder, file), embedded);
    const client = await connect('reach', 'edit');
    assert.equal((await call(client, 'import', { file })).structured?.['status'], 'imported');
    const { hash } = (await call(client, 'read_graph', { file })).structured as { hash: string };
    const edited = await call(client, 'apply_edit', { file, baseHash: hash, text: inSource });
    assert.equal(edited.structured?.['written'], true, edited.text);
    assert.match((await call(client, 'import', { file })).text, /"code":"not-allowed"/);
    assert.equal(await readFile(join(folder, file), 'utf8'), inSource);
    assert.deepEqual(await contents(), before);
  });

  it('is shown by plan all the same', async () => {
    const { text, isError } = await call(await connect('reach'), 'plan', { file });
    assert.equal(isError, false, text);
    assert.match(text, /CREATE/);
  });

  it('is a graph with --allow reach,write, by import only, which says so in its annotations', async () => {
    const before = await contents();
    const client = await connect('reach', 'write');
    const { tools: listed } = await client.listTools();
    const hints = listed.find(({ name }) => name === 'import')?.annotations;
    assert.deepEqual([hints?.readOnlyHint, hints?.destructiveHint, hints?.openWorldHint], [false, true, true]);
    for (const { name, annotations } of listed) assert.equal(annotations?.readOnlyHint, name !== 'import', name);
    const { structured, text, isError } = await call(client, 'import', { file });
    assert.equal(isError, false, text);
    assert.deepEqual([structured?.['status'], structured?.['schema']], ['imported', 'ekg']);
    const made = (await contents()).filter((name) => !before.includes(name));
    assert.ok(made.includes('ekg.event') && made.every((name) => name.startsWith('ekg.')), made.join());
  });

  it('is allowed together with reach only', async () => {
    for (const [allow, words] of [
      ['write', /--allow write needs reach, too: --allow reach,write/],
      ['reach,write,delete', /--allow takes reach, edit and write, with commas, not "delete"/],
    ] as const) {
      const { code, stderr } = await runCli(['mcp', folder, '--allow', allow]);
      assert.equal(code, 2);
      assert.match(stderr, words);
    }
  });

  it('is nothing of the command line with ENTITY_GRAPH_SOURCES_READ_ONLY=1', async () => {
    await runCli(['import', file], { cwd: folder });
    const before = await contents();
    assert.ok(before.includes('ekg.event'));
    for (const args of [
      ['import', file],
      ['delete', file, '--yes', '--drop-tables'],
    ]) {
      const { code, stdout, stderr } = await runCli([...args, '--format', 'json'], {
        cwd: folder,
        env: { ENTITY_GRAPH_SOURCES_READ_ONLY: '1' },
      });
      assert.equal(code, 1, stdout + stderr);
      assert.match(stdout + stderr, /shop may not be written to/);
    }
    assert.equal(await readFile(join(folder, file), 'utf8'), inSource);
    assert.deepEqual(await contents(), before);
  });
});
