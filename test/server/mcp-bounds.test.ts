import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runTool } from '../../server/src/mcp/run-tool.ts';
import { tools } from '../../server/src/mcp/tools.ts';
import { agentCalls as calls } from '../support/agent-calls.ts';
import { type AgentShop, agentShop, call, openAgentShop, shopSecrets } from '../support/agent-shop.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('bounds of tools for agents', () => {
  let shop: AgentShop;
  before(async () => (shop = await openAgentShop(1)));
  afterEach(() => shop.disconnect());
  after(() => shop.close());

  it('without reach contact no source, open no data file and know no secret', async () => {
    const client = await shop.connect();
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
    const asked = listed
      .filter(({ name }) => name !== 'read_graph')
      .flatMap(({ name }) =>
        ['shop.entity.yaml', 'things.entity.yaml'].map((file) => {
          const [given] = calls[name] ?? [{}];
          return { name, args: 'file' in given ? { ...given, ...(name === 'run_tests' ? {} : { file }) } : given };
        }),
      );
    const texts: string[] = [];
    // Each is a process.
    while (asked.length > 0) {
      const answers = await Promise.all(asked.splice(0, 4).map(({ name, args }) => call(client, name, args)));
      texts.push(...answers.map(({ text }) => text));
    }
    const unknown = await call(client, 'describe_source', { source: 'api' });
    assert.match(unknown.text, /not-allowed|secret-missing|environment-variable-missing/);
    assert.equal(unknown.isError, true);
    texts.push(unknown.text);
    const drafted = await call(client, 'draft_graph', { source: 'files' });
    assert.match(String(drafted.structured['text']), /startTimestamp: placed_at/);
    assert.deepEqual(shop.requests, []);
    assert.ok(!texts.join('\n').includes(shopSecrets.secret));
    const reaching = await shop.connect(['--allow', 'reach']);
    const described = await call(reaching, 'describe_source', { source: 'api' });
    assert.match(described.text, /"name":"things"/);
    assert.deepEqual([...new Set(shop.requests)], [`/things Bearer ${shopSecrets.secret}`]);
    assert.ok(!described.text.includes(shopSecrets.secret));
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.flatMap(({ name }) => (name.startsWith('sample ') ? [] : [name])),
      [
        ...['schema-entity-graph', 'schema-entity-tests', 'shop.entity.yaml', 'things.entity.yaml'],
        ...['shop.entity.test.yaml', 'entity-sources.yaml'],
      ],
    );
    const samples = resources.filter(({ uri }) => uri.startsWith('entity-graph://sample/'));
    assert.ok(samples.some(({ name }) => name === 'sample incidents/incidents.entity.yaml'));
    const sources = JSON.stringify(await client.readResource({ uri: 'entity-graph://sources/entity-sources.yaml' }));
    assert.match(sources, /things/);
    assert.doesNotMatch(sources, /MCP_TEST_TOKEN|127\.0\.0\.1/);
    for (const { uri } of resources) assert.notEqual((await client.readResource({ uri })).contents.length, 0);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['entity-graph://specification/{section}'],
    );
    const { contents } = await client.readResource({ uri: 'entity-graph://specification/8.2' });
    assert.match(JSON.stringify(contents), /## 8\.2 Times without zone/);
    const unlisted = pathToFileURL(join(shop.folder, 'entity-sources.yaml')).href;
    for (const uri of [unlisted, 'entity-graph://specification/99.1', 'entity-graph://specification/../rules'])
      await assert.rejects(client.readResource({ uri }), /not found/i);
  });

  it('read no text outside of the workspace, not by a link, and no file of another kind', async () => {
    await writeFile(join(shop.folder, 'notes.env'), 'KEY=not-for-agents');
    await mkdir(join(shop.folder, 'node_modules'));
    await writeFile(join(shop.folder, 'node_modules', 'deep.entity.yaml'), agentShop);
    const links = { 'linked.entity.yaml': '../outside.entity.yaml', 'inner.entity.yaml': 'notes.env' };
    for (const [name, target] of Object.entries(links))
      await symlink(join(shop.folder, target), join(shop.folder, name));
    await writeFile(join(shop.folder, 'far.entity.test.yaml'), 'graph: ../outside.entity.yaml\ntests: []\n');
    const client = await shop.connect(['--allow', 'reach,edit']);
    const said = async (name: string, args: object): Promise<string> => {
      const { text, isError } = await call(client, name, args);
      assert.equal(isError, true, `${name} ${JSON.stringify(args)}: ${text}`);
      return text;
    };
    const outside = ['../outside.entity.yaml', join(shop.base, 'outside.entity.yaml'), 'linked.entity.yaml'];
    for (const tool of ['validate', 'read_graph', 'variants']) {
      for (const file of outside)
        assert.equal(await said(tool, { file }), `${file} is not in the workspace, whose files only are read.`);
      for (const file of ['notes.env', 'inner.entity.yaml', 'orders.csv', 'node_modules/deep.entity.yaml'])
        assert.match(await said(tool, { file }), /is no entity graph or file of tests/);
    }
    for (const text of [undefined, agentShop])
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
    await assert.rejects(client.readResource({ uri: pathToFileURL(join(shop.folder, 'linked.entity.yaml')).href }));
    assert.doesNotMatch((await call(client, 'list_graphs', {})).text, /"name":"Outside"/);
    for (const name of [...Object.keys(links), 'far.entity.test.yaml', 'notes.env', 'node_modules'])
      await rm(join(shop.folder, name), { recursive: true });
  });

  it('know no environment but that of tools that read data sources', async () => {
    await runCli(['objects', 'api'], {
      cwd: shop.folder,
      env: { ENTITY_GRAPH_SECRET_API: shopSecrets.secret, MCP_TEST_TOKEN: 'token-of-env' },
    });
    for (const allow of [[], ['--allow', 'reach']]) {
      const client = await shop.connect(allow);
      const { text } = await call(client, 'show_query', { file: 'things.entity.yaml', element: 'See' });
      assert.ok(!text.includes('token-of-env') && !text.includes(shopSecrets.secret), text);
    }
  });

  it('end a question that takes too long, and one that is cancelled, with its process', async () => {
    const query = tools.find(({ name }) => name === 'query');
    assert.ok(query);
    const sql = 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b';
    const host = {
      root: shop.folder,
      program: cliPath,
      environment: process.env,
      allowed: new Set<never>(),
      mostMs: 1500,
    };
    const given = { file: 'shop.entity.yaml', sql };
    const { signal } = new AbortController();
    await assert.rejects(runTool(query, given, host, { signal }), {
      name: 'ToolError',
      message: 'query was ended after 1.5 s. Ask for less.',
    });
    assert.equal(await running('range\\(1000000000\\)'), 0);
    const client = await shop.connect();
    const abort = new AbortController();
    const asked = client.callTool({ name: 'query', arguments: given }, { signal: abort.signal });
    await waitUntil('the question runs', async () => (await running('range')) === 1 || undefined);
    // Others are answered beside it.
    assert.equal((await call(client, 'list_graphs', {})).isError, false);
    abort.abort(new Error('No longer needed.'));
    await assert.rejects(asked, /No longer needed/);
    await waitUntil('its process has ended', async () => (await running('range')) === 0 || undefined);
  });

  it('end what runs with the server, when its input or its lease ends', async () => {
    const given = { file: 'shop.entity.yaml', sql: 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b' };
    for (const end of ['input', 'lease'] as const) {
      const lease = join(shop.base, 'lease');
      await writeFile(lease, '');
      const client = await shop.connect([], undefined, { ENTITY_GRAPH_ENDS_WITH: lease });
      const asked = assert.rejects(client.callTool({ name: 'query', arguments: given }));
      await waitUntil('the question runs', async () => (await running('range')) === 1 || undefined);
      await (end === 'input' ? client.close() : rm(lease));
      await asked;
      await waitUntil('its process has ended', async () => (await running('range')) === 0 || undefined);
    }
  });

  it('end with an error after a message of more than 64 MB, and are not deaf instead', async () => {
    const message = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(65 * 2 ** 20) } })}\n`;
    const { code, stderr } = await runCli(['mcp', shop.folder], { input: message });
    assert.equal(code, 2);
    assert.match(stderr, /entity-graph mcp: A message has more than 64 MB/);
  });

  it('refuse an answer that is too long, and an argument that is', async () => {
    const client = await shop.connect();
    const many = Array.from(
      { length: 4000 },
      (_, index) => `  - { activityName: A${index}, dataObject: no${index} }\n`,
    );
    const text = `version: 1\nname: Many\ndataSource: files\ndataObjects: [orders]\nelements:\n${many.join('')}`;
    const long = await call(client, 'validate', { file: 'shop.entity.yaml', text });
    assert.deepEqual(
      [long.isError, long.text],
      [true, 'The answer is longer than 400000 characters: ask for less, such as a limit.'],
    );
    const word = await call(client, 'entity_timeline', { file: 'shop.entity.yaml', key: 'x'.repeat(20_001) });
    assert.match(word.text, /is longer than 20000 characters\. Make it shorter\./);
    const { structured } = await call(client, 'query', { file: 'shop.entity.yaml', sql: 'FROM range(5000)' });
    assert.deepEqual([(structured['rows'] as unknown[]).length, structured['truncated']], [100, true]);
  });

  it('answer others beside an import, which ends without a trace when it is cancelled', async () => {
    const client = await shop.connect(['--allow', 'reach']);
    shop.hold(true);
    const abort = new AbortController();
    const cancelled = client.callTool(
      { name: 'import', arguments: { file: 'things.entity.yaml' } },
      { signal: abort.signal },
    );
    const before = shop.requests.length;
    await waitUntil('the service is asked', () => Promise.resolve(shop.requests.length > before || undefined));
    const start = performance.now();
    const answers = await Promise.all([
      call(client, 'variants', { file: 'shop.entity.yaml' }),
      call(client, 'explain_format', { topic: 'key' }),
      client.listTools(),
    ]);
    assert.ok(answers.slice(0, 2).every((answer) => !('isError' in answer) || answer.isError === false));
    const listed = performance.now();
    await client.listTools();
    assert.ok(performance.now() - listed < 2000, 'the server itself is free');
    assert.ok(performance.now() - start < 60_000);
    abort.abort(new Error('Enough.'));
    await assert.rejects(cancelled, /Enough/);
    await waitUntil('its process has ended', async () => (await running('things.entity')) === 0 || undefined);
    shop.hold(false);
    const { items } = (await call(client, 'list_graphs', {})).structured as {
      items: { name: string; status: string }[];
    };
    assert.equal(items.find(({ name }) => name === 'Things')?.status, 'Not Imported');
    // Nothing of it is in the way of the next.
    assert.equal((await call(client, 'import', { file: 'things.entity.yaml' })).structured['status'], 'imported');
  });
});

/** How many processes of the command line have these words in their arguments. */
async function running(words: string): Promise<number> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(cliPath) && new RegExp(words).test(line)).length;
}
