import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type AnySchema, Ajv2020 } from 'ajv/dist/2020.js';
import { tools } from '../../server/src/mcp/tools.ts';
import type { OptionSpec } from '../../server/src/cli/command.ts';
import { commands } from '../../server/src/cli/commands/index.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const secret = 'correct-horse-battery-staple';

const shop = `version: 1
name: Shop
dataSource: files
dataObjects: [orders]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed_at, properties: [country] }
  - { activityName: Pay Order, dataObject: orders, key: id, entityType: order, startTimestamp: paid_at }
rules:
  - { name: Paid, each: { entityType: order }, expect: [{ activity: Pay Order, count: 1 }] }
`;
/** An edit of meaning, which also follows the name in rules. */
const rename = { kind: 'configureElement', element: 'Pay Order', values: { activityName: 'Settle Order' } };
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const rows = Array.from(
  { length: 60 },
  (_, index) =>
    `${index},${index % 2 ? 'DE' : 'FR'},2024-01-01 10:00:00,${index % 3 ? `2024-01-${index % 2 ? '20' : '03'} 11:00:00` : ''}\n`,
);

const commandTools = tools.filter(({ command }) => command !== undefined);

/** Arguments of every tool that is a command, and those of the command line that mean the same. */
const calls: Readonly<Record<string, readonly [given: object, args: readonly string[], input?: string]>> = {
  list_graphs: [{}, ['status', '.']],
  validate: [{ file: 'shop.entity.yaml' }, ['validate', 'shop.entity.yaml']],
  explain_format: [{ topic: 'elements[].key' }, ['explain', 'elements[].key']],
  complete_at: [
    { file: 'shop.entity.yaml', line: 6, character: 42, text: shop },
    ['complete', 'shop.entity.yaml', '--line', '6', '--character', '42', '--stdin'],
    shop,
  ],
  propose_edit: [
    { file: 'shop.entity.yaml', effect: true, edits: [rename] },
    ['propose', 'shop.entity.yaml', '--effect', '--edits'],
    JSON.stringify([rename]),
  ],
  apply_edit: [{ file: 'shop.entity.yaml', text: shop, baseHash: hashOf(shop) }, ['propose', 'shop.entity.yaml'], shop],
  query: [
    { file: 'shop.entity.yaml', sql: 'SELECT activity, count(*) AS n FROM event GROUP BY ALL ORDER BY n', limit: 1 },
    [
      ...['query', 'shop.entity.yaml', '--limit', '1'],
      ...['--sql', 'SELECT activity, count(*) AS n FROM event GROUP BY ALL ORDER BY n'],
    ],
  ],
  draft_graph: [{ source: 'files', objects: ['orders'] }, ['new', 'files', '--print', '--objects', 'orders']],
  lineage: [
    { file: 'shop.entity.yaml', column: 'orders.country' },
    ['lineage', 'shop.entity.yaml', '--column', 'orders.country'],
  ],
  show_query: [
    { file: 'shop.entity.yaml', element: 'Pay Order' },
    ['show-query', 'shop.entity.yaml', '--element', 'Pay Order'],
  ],
  run_tests: [{ file: 'shop.entity.test.yaml' }, ['test', 'shop.entity.test.yaml']],
  rules: [{ file: 'shop.entity.yaml', limit: 1 }, ['rules', 'shop.entity.yaml', '--limit', '1']],
  analyze: [
    { file: 'shop.entity.yaml', measure: ['throughput'], by: ['country'], where: ['with:Pay Order', 'slower:1d'] },
    [
      ...['analyze', 'shop.entity.yaml', '--measure', 'throughput', '--by', 'country'],
      ...['--where', 'with:Pay Order', '--where', 'slower:1d'],
    ],
  ],
  variants: [{ file: 'shop.entity.yaml', limit: 1 }, ['variants', 'shop.entity.yaml', '--limit', '1']],
  steps: [{ file: 'shop.entity.yaml' }, ['steps', 'shop.entity.yaml']],
  activities: [{ file: 'shop.entity.yaml' }, ['activities', 'shop.entity.yaml']],
  entities: [
    { file: 'shop.entity.yaml', sort: 'events', ascending: true, limit: 2 },
    ['entities', 'shop.entity.yaml', '--sort', 'events', '--ascending', '--limit', '2'],
  ],
  timeline: [{ file: 'shop.entity.yaml', key: '7' }, ['timeline', 'shop.entity.yaml', '--key', '7']],
  workload: [{ file: 'shop.entity.yaml' }, ['workload', 'shop.entity.yaml']],
  batches: [{ file: 'shop.entity.yaml' }, ['batches', 'shop.entity.yaml']],
  why: [
    { file: 'shop.entity.yaml', outcome: ['slower:10d'], entityType: 'order' },
    ['why', 'shop.entity.yaml', '--outcome', 'slower:10d', '--entity-type', 'order'],
  ],
  findings: [{ file: 'shop.entity.yaml' }, ['findings', 'shop.entity.yaml']],
  changes: [{ file: 'shop.entity.yaml' }, ['diff', 'shop.entity.yaml']],
  effect: [
    { file: 'shop.entity.yaml', total: true, failOn: ['rules.broken > 0'] },
    ['effect', 'shop.entity.yaml', '--total', '--fail-on', 'rules.broken > 0'],
  ],
  describe_source: [{ source: 'files', sources: 'entity-sources.yaml' }, ['objects', 'files']],
  test_query: [
    { file: 'shop.entity.yaml', element: 'Pay Order', limit: 2 },
    ['test-query', 'shop.entity.yaml', '--element', 'Pay Order', '--limit', '2'],
  ],
  plan: [{ file: 'shop.entity.yaml' }, ['plan', 'shop.entity.yaml']],
  import: [{ file: 'shop.entity.yaml' }, ['import', 'shop.entity.yaml']],
};

/** Leaves out what differs from run to run. */
const steady = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, each: unknown) =>
      ['durationMs', 'store', 'run', 'seconds', 'imported', 'type', 'bytes', 'idle'].includes(key) ? undefined : each,
    )
      .replaceAll(/ATTACH '[^']*'/g, 'ATTACH')
      .replaceAll(/\d{8}T\d{9}-[0-9a-f]{4}/g, 'run')
      .replaceAll(/> TIMESTAMP '[^']*'/g, '> TIMESTAMP'),
  );

describe('tools for agents', () => {
  let base: string;
  let folder: string;
  let server: Server;
  const requests: string[] = [];
  const clients: Client[] = [];

  async function connect(args: readonly string[] = [], mode?: 'auto'): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, mode ? { versionNegotiation: { mode } } : {});
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cliPath, 'mcp', folder, ...args],
        env: {
          ...(process.env as Record<string, string>),
          ENTITY_GRAPH_SECRET_API: secret,
          MCP_TEST_TOKEN: 'token-of-env',
        },
      }),
    );
    clients.push(client);
    return client;
  }
  const call = async (client: Client, name: string, args: object) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } });
    const text = (content as { text?: string }[]).map((each) => each.text ?? '').join('\n');
    return { text, structured: structuredContent, isError: isError === true };
  };

  before(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.url} ${request.headers.authorization}`);
      response.setHeader('content-type', 'application/json').end('[{"id":1,"seen":"2024-01-01T10:00:00Z"}]');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    base = await folderWith({
      'work/entity-sources.yaml': `version: 1
dataSources:
  files: { kind: csv, path: "*.csv" }
  api: { kind: rest, baseUrl: "http://127.0.0.1:${port}", headers: { X-Test: "\${env:MCP_TEST_TOKEN}" }, auth: { kind: bearer, token: "\${secret:API}" }, endpoints: [{ name: things, path: /things }] }
`,
      'work/orders.csv': `id,country,placed_at,paid_at\n${rows.join('')}`,
      'work/shop.entity.yaml': shop,
      'work/shop.entity.test.yaml': `graph: shop.entity.yaml
tests:
  - name: One event
    given: { orders: [{ id: 1, country: DE, placed_at: "2024-01-01 10:00:00" }] }
    expect: { events: [{ activity: Place Order, time: "2024-01-01T10:00:00Z", entity: { type: order, key: 1 } }] }
`,
      'work/things.entity.yaml':
        'version: 1\nname: Things\ndataSource: api\ndataObjects: [things]\nelements:\n  - { activityName: See, dataObject: things, key: id, entityType: thing, startTimestamp: seen }\n',
      'outside.entity.yaml': shop.replace('name: Shop', 'name: Outside'),
    });
    folder = join(base, 'work');
    for (const _ of [1, 2]) assert.equal((await runCli(['import', 'shop.entity.yaml'], { cwd: folder })).code, 0);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  after(async () => {
    server.close();
    await removeFolder(base);
  });

  it('have the options of their commands', () => {
    for (const tool of commandTools) {
      const command = commands.find(({ name }) => name === tool.command);
      assert.ok(command, tool.name);
      for (const [name, { type, choices, isOperand, isJoined }] of Object.entries(tool.options ?? {})) {
        if (isOperand) {
          assert.ok(command.arity.max > (tool.operand ? 1 : 0), `${tool.name}: ${name}`);
          continue;
        }
        const option: OptionSpec | undefined = command.options.find((each) => each.name === name);
        assert.ok(option, `${tool.name}: ${name}`);
        assert.equal(type === 'list' && !isJoined, option.repeats === true, `${tool.name}: ${name}`);
        assert.equal(type === 'flag', option.value === undefined, `${tool.name}: ${name}`);
        assert.deepEqual(choices, option.choices, `${tool.name}: ${name}`);
      }
    }
    assert.deepEqual(Object.keys(calls).toSorted(), commandTools.map(({ name }) => name).toSorted());
  });

  it('answer like the command line, by their schemas, in both revisions of the protocol', async () => {
    const [modern, old] = [await connect(['--allow', 'reach,edit'], 'auto'), await connect(['--allow', 'reach,edit'])];
    assert.deepEqual(
      [modern.getNegotiatedProtocolVersion(), old.getNegotiatedProtocolVersion()],
      ['2026-07-28', '2025-11-25'],
    );
    const { tools: listed } = await old.listTools();
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    for (const [index, tool] of listed.filter(({ name }) => name !== 'read_graph').entries()) {
      const [given, args, input] = calls[tool.name] ?? [{}, []];
      assert.ok(ajv.validate(tool.inputSchema as AnySchema, given), `${tool.name}: ${ajv.errorsText()}`);
      const answer = await call(index % 2 ? modern : old, tool.name, given);
      assert.equal(answer.isError, false, `${tool.name}: ${answer.text}`);
      assert.ok(
        ajv.validate(tool.outputSchema as AnySchema, answer.structured),
        `${tool.name}: ${ajv.errorsText()} ${answer.text}`,
      );
      assert.ok(answer.text.startsWith(JSON.stringify(answer.structured)), tool.name);
      const isOnline = ['validate', 'propose_edit', 'apply_edit'].includes(tool.name);
      const asked = isOnline ? [...args, '--online'] : args;
      const { stdout } = await runCli([...asked, '--format', 'json', '--workspace', folder], {
        cwd: folder,
        ...(input !== undefined && { input }),
      });
      const printed = (tool.name === 'import' ? stdout.trimEnd().split('\n').at(-1) : stdout) ?? '';
      const json = JSON.parse(printed) as unknown;
      const { written: _, hash: __, ...structured } = answer.structured as Record<string, unknown>;
      assert.deepEqual(steady(structured), steady(Array.isArray(json) ? { items: json } : json), tool.name);
    }
  });

  it('without reach contact no source, open no data file and know no secret', async () => {
    const client = await connect();
    const { tools: listed } = await client.listTools();
    assert.deepEqual(
      listed.map(({ name }) => name),
      tools.filter(({ needs }) => needs === undefined).map(({ name }) => name),
    );
    assert.ok(listed.every(({ annotations }) => annotations?.readOnlyHint === true));
    await assert.rejects(
      client.callTool({ name: 'import', arguments: { file: 'shop.entity.yaml' } }),
      /needs a server that was started with --allow reach/,
    );
    const texts = [];
    for (const { name } of listed) {
      if (name === 'read_graph') continue;
      for (const file of ['shop.entity.yaml', 'things.entity.yaml']) {
        const [given] = calls[name] ?? [{}];
        const args = 'file' in given ? { ...given, ...(name === 'run_tests' ? {} : { file }) } : given;
        texts.push((await call(client, name, args)).text);
      }
    }
    const unknown = await call(client, 'describe_source', { source: 'api' });
    assert.match(unknown.text, /not-allowed|secret-missing|environment-variable-missing/);
    assert.equal(unknown.isError, true);
    texts.push(unknown.text);
    assert.deepEqual(requests, []);
    assert.ok(!texts.join('\n').includes(secret));
    const reaching = await connect(['--allow', 'reach']);
    const described = await call(reaching, 'describe_source', { source: 'api' });
    assert.match(described.text, /"name":"things"/);
    assert.deepEqual([...new Set(requests)], [`/things Bearer ${secret}`]);
    assert.ok(!described.text.includes(secret));
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ name }) => name),
      ['schema-entity-graph', 'schema-entity-tests', 'shop.entity.yaml', 'things.entity.yaml', 'shop.entity.test.yaml'],
    );
    for (const { uri } of resources) assert.notEqual((await client.readResource({ uri })).contents.length, 0);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['entity-graph://specification/{section}'],
    );
    const { contents } = await client.readResource({ uri: 'entity-graph://specification/8.2' });
    assert.match(JSON.stringify(contents), /## 8\.2 Times without zone/);
    const unlisted = pathToFileURL(join(folder, 'entity-sources.yaml')).href;
    for (const uri of [unlisted, 'entity-graph://specification/99.1', 'entity-graph://specification/../rules'])
      await assert.rejects(client.readResource({ uri }), /not found/i);
  });

  it('read no text outside of the workspace, not by a link, and no file of another kind', async () => {
    await writeFile(join(folder, 'notes.env'), 'KEY=not-for-agents');
    await mkdir(join(folder, 'node_modules'));
    await writeFile(join(folder, 'node_modules', 'deep.entity.yaml'), shop);
    const links = { 'linked.entity.yaml': '../outside.entity.yaml', 'inner.entity.yaml': 'notes.env' };
    for (const [name, target] of Object.entries(links)) await symlink(join(folder, target), join(folder, name));
    await writeFile(join(folder, 'far.entity.test.yaml'), 'graph: ../outside.entity.yaml\ntests: []\n');
    const client = await connect(['--allow', 'reach,edit']);
    const said = async (name: string, args: object): Promise<string> => {
      const { text, isError } = await call(client, name, args);
      assert.equal(isError, true, `${name} ${JSON.stringify(args)}: ${text}`);
      return text;
    };
    const outside = ['../outside.entity.yaml', join(base, 'outside.entity.yaml'), 'linked.entity.yaml'];
    for (const tool of ['validate', 'read_graph', 'variants']) {
      for (const file of outside)
        assert.equal(await said(tool, { file }), `${file} is not in the workspace, whose files only are read.`);
      for (const file of ['notes.env', 'inner.entity.yaml', 'orders.csv', 'node_modules/deep.entity.yaml'])
        assert.match(await said(tool, { file }), /is no entity graph or file of tests/);
    }
    for (const text of [undefined, shop])
      assert.match(await said('validate', { file: 'notes.env', ...(text && { text }) }), /is no entity graph/);
    const sources = (path: string): Promise<string> => said('describe_source', { source: 'files', sources: path });
    assert.match(await sources('../entity-sources.yaml'), /is not in the workspace/);
    assert.match(await sources('shop.entity.yaml'), /is no data sources file/);
    assert.match(await said('validate', { file: 'missing.entity.yaml' }), /There is no file missing\.entity\.yaml/);
    for (const ref of ['/etc/hostname', '../outside.entity.yaml', '--output=x'])
      assert.match(
        await said('effect', { file: 'shop.entity.yaml', base: ref }),
        /^base of effect is last, a commit or/,
      );
    const far = await call(client, 'run_tests', { file: 'far.entity.test.yaml' });
    assert.doesNotMatch(far.text, /"outcome":"passed"/);
    assert.match(far.text, /is outside of/);
    const { resources } = await client.listResources();
    assert.ok(resources.every(({ name }) => !(name in links) && !name.includes('node_modules')));
    await assert.rejects(client.readResource({ uri: pathToFileURL(join(folder, 'linked.entity.yaml')).href }));
    assert.doesNotMatch((await call(client, 'list_graphs', {})).text, /"name":"Outside"/);
    for (const name of [...Object.keys(links), 'far.entity.test.yaml', 'notes.env', 'node_modules'])
      await rm(join(folder, name), { recursive: true });
  });

  it('know no environment but that of tools that read data sources', async () => {
    await runCli(['objects', 'api'], {
      cwd: folder,
      env: { ENTITY_GRAPH_SECRET_API: secret, MCP_TEST_TOKEN: 'token-of-env' },
    });
    for (const allow of [[], ['--allow', 'reach']]) {
      const client = await connect(allow);
      const { text } = await call(client, 'show_query', { file: 'things.entity.yaml', element: 'See' });
      assert.ok(!text.includes('token-of-env') && !text.includes(secret), text);
    }
  });

  it('say what is wrong with arguments, and what failed', async () => {
    const client = await connect();
    const said = async (name: string, args: object): Promise<string> => {
      const { text, isError } = await call(client, name, args);
      assert.equal(isError, true);
      return text;
    };
    const file = 'shop.entity.yaml';
    assert.equal(
      await said('variants', { file, limits: 3 }),
      'variants has no argument limits. It has: file, entityType, where, limit.',
    );
    assert.equal(await said('variants', { file, limit: 0 }), 'limit of variants is a whole number of at least 1.');
    assert.match(await said('variants', {}), /^variants needs file: /);
    assert.match(await said('why', { file }), /^why needs outcome: /);
    assert.match(await said('variants', { file, where: ['Without:Pay Order'] }), /without:Pay Order/i);
    assert.match(await said('show_query', { file, element: '--help' }), /unknown-activity/);
    assert.match(await said('variants', { file: 'things.entity.yaml' }), /"code":"[a-z-]+".*"remedy"/);
    assert.match(await said('propose_edit', { file }), /^propose_edit needs text, the whole new text, or edits/);
    assert.match(await said('propose_edit', { file, text: shop, edits: [] }), /takes text or edits, not both/);
    assert.match(await said('propose_edit', { file, edits: [{ kind: 'explode' }] }), /"code":"edit-refused"/);
    assert.match(await said('explain_format', { topic: 'no such thing' }), /Without a topic, all are listed/);
    assert.match(await said('complete_at', { file, line: -1, character: 0 }), /a whole number of at least 0/);
    assert.match(await said('query', { file, sql: "SELECT * FROM read_text('/etc/hostname')" }), /"code":"sql-error"/);
    assert.match(await said('query', { file, sql: `SELECT '${'x'.repeat(20_000)}'` }), /longer than 20000 characters/);
    await assert.rejects(client.callTool({ name: 'drop_tables', arguments: {} }), /There is no tool drop_tables/);
  });

  it('cut long values and many rows, and say so', async () => {
    const client = await connect();
    const sql = "SELECT repeat('x', 3000) AS x FROM range(1000)";
    const { structured } = await call(client, 'query', { file: 'shop.entity.yaml', sql, limit: 900 });
    const answer = structured as { rows: readonly string[][]; truncated: boolean; characterLimit: number };
    const { rows: kept, truncated, characterLimit } = answer;
    assert.equal(kept[0]?.[0], `${'x'.repeat(2000)}… (1000 more characters)`);
    assert.ok(kept.length > 100 && kept.length < 200);
    assert.deepEqual([truncated, characterLimit], [true, 400_000]);
  });

  it('write an entity graph only as it was read, without new errors, atomically', async () => {
    const [reading, client] = [await connect(), await connect(['--allow', 'edit'])];
    await assert.rejects(
      reading.callTool({ name: 'apply_edit', arguments: {} }),
      /apply_edit needs a server that was started with --allow edit/,
    );
    const file = 'shop.entity.yaml';
    const read = await call(client, 'read_graph', { file });
    const meant = 'meant.entity.yaml';
    const marked = `\uFEFF${shop.replaceAll('\n', '\r\n')}# end\r\n`;
    await writeFile(join(folder, meant), marked);
    const edited = await call(client, 'apply_edit', { file: meant, edits: [rename], baseHash: hashOf(marked) });
    assert.equal((edited.structured as { written: boolean }).written, true, edited.text);
    assert.equal(await readFile(join(folder, meant), 'utf8'), marked.replaceAll('Pay Order', 'Settle Order'));
    await rm(join(folder, meant));
    const { hash, text } = read.structured as { hash: string; text: string };
    assert.equal(text, shop);
    const wrong = text.replace('placed_at', 'placed_att');
    const proposed = await call(reading, 'validate', { file, text: wrong });
    assert.match(proposed.text, /unknown-column/);
    const lax = text.replace('count: 1 }', 'count: "0..1" }');
    assert.notEqual(lax, text);
    const effect = await call(reading, 'effect', { file, text: lax });
    assert.equal(effect.isError, false, effect.text);
    assert.match(effect.text, /"state":"compared"/);
    const refused = await call(client, 'apply_edit', { file, baseHash: hash, text: wrong });
    assert.deepEqual((refused.structured as { written: boolean }).written, false);
    assert.match(refused.text, /errors that were not there before/);
    assert.equal(await readFile(join(folder, file), 'utf8'), shop);
    const renamed = text.replace('name: Shop', 'name: Shop 2 # as it is called now');
    const written = await call(client, 'apply_edit', { file, baseHash: hash, text: renamed });
    assert.equal((written.structured as { written: boolean }).written, true, written.text);
    assert.equal(await readFile(join(folder, file), 'utf8'), renamed);
    const stale = await call(client, 'apply_edit', { file, baseHash: hash, text });
    assert.match(stale.text, /^stale-text: .* it has changed since it was read/);
    assert.equal(stale.isError, true);
    const { hash: next } = written.structured as { hash: string };
    const back = await call(client, 'apply_edit', { file, baseHash: next, text });
    assert.equal(back.isError, false);
    // Errors that were there before do not keep others from being mended.
    const fresh = { file: 'new.entity.yaml', text: wrong };
    assert.equal((await call(client, 'apply_edit', fresh)).isError, false);
    await assert.rejects(readFile(join(folder, 'new.entity.yaml')));
    assert.equal((await call(client, 'apply_edit', { ...fresh, allowErrors: true })).isError, false);
    assert.equal(await readFile(join(folder, 'new.entity.yaml'), 'utf8'), wrong);
    const { text: exists } = await call(client, 'apply_edit', fresh);
    assert.match(exists, /it exists, and baseHash is missing/);
    const { hash: ofWrong } = (await call(client, 'read_graph', { file: fresh.file })).structured as { hash: string };
    const better = wrong.replace('name: Shop', 'name: New');
    assert.equal(
      (
        (await call(client, 'apply_edit', { ...fresh, baseHash: ofWrong, text: better })).structured as {
          written: boolean;
        }
      ).written,
      true,
    );
    const twice = better.replace('startTimestamp: paid_at', 'startTimestamp: placed_att');
    const { hash: ofBetter } = (await call(client, 'read_graph', { file: fresh.file })).structured as { hash: string };
    const more = await call(client, 'apply_edit', { ...fresh, baseHash: ofBetter, text: twice });
    assert.equal((more.structured as { written: boolean }).written, false, 'the same error twice');
    await rm(join(folder, 'new.entity.yaml'));
    const racing = await Promise.all(
      ['A', 'B', 'C'].map((name) =>
        call(client, 'apply_edit', { file: 'race.entity.yaml', text: text.replace('name: Shop', `name: ${name}`) }),
      ),
    );
    assert.deepEqual(
      racing.map(({ isError }) => isError),
      [false, true, true],
    );
    await writeFile(join(folder, 'race.entity.yaml'), Buffer.from('version: 1\nname: Sh\xf6p\n', 'latin1'));
    assert.match((await call(client, 'read_graph', { file: 'race.entity.yaml' })).text, /is not encoded in UTF-8/);
    await writeFile(join(folder, 'race.entity.yaml'), `# ${'x'.repeat(400_000)}\n`);
    assert.match((await call(client, 'read_graph', { file: 'race.entity.yaml' })).text, /at most 400000 are read/);
    await rm(join(folder, 'race.entity.yaml'));
    for (const other of ['entity-sources.yaml', 'orders.csv', '../outside.entity.yaml']) {
      const answer = await call(client, 'apply_edit', { file: other, text: shop });
      assert.equal(answer.isError, true, other);
      assert.match(answer.text, /no entity graph|not in the workspace|no plain file/);
    }
  });

  it('import with progress, and are refused after the data sources file has changed', async () => {
    const client = await connect(['--allow', 'reach']);
    const told: number[] = [];
    const { isError } = await client.callTool(
      { name: 'import', arguments: { file: 'shop.entity.yaml' } },
      { onprogress: ({ progress }) => told.push(progress) },
    );
    assert.notEqual(isError, true);
    assert.ok(told.length > 2);
    assert.deepEqual(
      told,
      told.toSorted((one, other) => one - other),
    );
    await writeFile(
      join(folder, 'entity-sources.yaml'),
      `version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n`,
    );
    const { text } = await call(client, 'test_query', { file: 'shop.entity.yaml', element: 'Pay Order' });
    assert.match(text, /^not-allowed: a data sources file has changed/);
  });

  it('answer others while one is cancelled', async () => {
    const client = await connect();
    const abort = new AbortController();
    const cancelled = client.callTool(
      { name: 'run_tests', arguments: { file: 'shop.entity.test.yaml' } },
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(new Error('No longer needed.')), 20);
    await assert.rejects(cancelled, /No longer needed/);
    assert.equal((await call(client, 'list_graphs', {})).isError, false);
  });

  it('have prompts that name their argument', async () => {
    const client = await connect();
    const { prompts } = await client.listPrompts();
    for (const { name, arguments: args = [] } of prompts) {
      const [argument] = args;
      const { messages } = await client.getPrompt({ name, arguments: { [argument?.name ?? '']: 'shop.entity.yaml' } });
      assert.match(JSON.stringify(messages), /shop\.entity\.yaml/);
      await assert.rejects(client.getPrompt({ name, arguments: {} }), /needs/);
    }
  });
});
