import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tools } from '../../server/src/mcp/tools.ts';
import { cliPath } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { settingPositions } from '../support/settings-positions.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

/** Every secret contains it. */
const mark = 'hunter2x7';

/** A server that repeats what it is sent, as some do in their errors. */
async function echo(): Promise<Server> {
  const server = createServer((request, response) => {
    const told = JSON.stringify({ error: `${request.url} ${JSON.stringify(request.headers)}` });
    response
      .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': `Basic realm=${told}` })
      .end(told);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const graphOf = (source: string): string =>
  `version: 1\nname: G\ndataSource: ${source}\ndataObjects: [things]\nelements:\n  - { activityName: See, dataObject: things, key: id, entityType: thing, startTimestamp: seen }\n`;
const testsOf = (name: string): string =>
  `graph: ${name}.entity.yaml\ntests:\n  - { name: One, given: { things: [{ id: 1, seen: "2024-01-01" }] }, expect: { events: [] } }\n`;

/** What a data sources file holds where a secret stands, and what else. */
const sourcesOf = (port: number): Readonly<Record<string, string>> => ({
  api: `{ kind: rest, baseUrl: "http://127.0.0.1:${port}", headers: { X-Key: key-${mark} }, auth: { kind: bearer, token: "\${secret:API}" }, endpoints: [{ name: things, path: /things, parameters: { api_key: parameter-${mark} } }] }`,
  environment: `{ kind: rest, baseUrl: "http://127.0.0.1:${port}", auth: { kind: basic, user: me, password: "\${env:MCP_PASSWORD}" }, endpoints: [{ name: things, path: /things }] }`,
  glued: `{ kind: mysql, host: 127.0.0.1, user: me, password:glued-${mark} }`,
  address: `postgresql://me:address-${mark}@127.0.0.1:9/d`,
});

describe('secrets of data sources', () => {
  let folder: string;
  let server: Server;
  const clients: Client[] = [];

  before(async () => {
    server = await echo();
    const sources = sourcesOf((server.address() as AddressInfo).port);
    folder = await folderWith(
      Object.fromEntries(
        Object.entries(sources).flatMap(([name, settings]) => [
          [`${name}/entity-sources.yaml`, `version: 1\ndataSources:\n  ${name}: ${settings}\n`],
          [`${name}/${name}.entity.yaml`, graphOf(name)],
          [`${name}/${name}.entity.test.yaml`, testsOf(name)],
        ]),
      ),
    );
  });
  after(async () => {
    for (const client of clients) await client.close();
    server.close();
    await removeFolder(folder);
  });

  async function connect(allow: readonly string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cliPath, 'mcp', folder, ...allow],
        env: {
          ...(process.env as Record<string, string>),
          ENTITY_GRAPH_SECRET_API: `stored-${mark}`,
          MCP_PASSWORD: `variable-${mark}`,
        },
      }),
    );
    clients.push(client);
    return client;
  }

  /** Arguments that each tool takes, for the graph of a data source. */
  function argumentsOf(tool: (typeof tools)[number], name: string): Record<string, unknown> {
    const file = `${name}/${name}.entity.${tool.name === 'run_tests' ? 'test.' : ''}yaml`;
    const own: Readonly<Record<string, object>> = {
      explain_format: { topic: 'password' },
      complete_at: { line: 2, character: 12 },
      propose_edit: { text: graphOf(name), effect: true },
      apply_edit: { text: `${graphOf(name)}# edited\n` },
      query: { sql: 'SELECT 1' },
      entity_timeline: { key: '1' },
      why: { outcome: ['slower:1d'] },
      show_query: { element: 'See' },
      test_query: { element: 'See' },
      lineage: {},
    };
    const operand =
      tool.operand === 'file'
        ? { file }
        : tool.operand === 'source'
          ? { source: name, sources: `${name}/entity-sources.yaml` }
          : {};
    return { ...operand, ...own[tool.name] };
  }

  /** The others answer from the file, or from a graph, of which there is none here. */
  const reading = new Set(['validate', 'describe_source', 'draft_graph', 'show_query', 'test_query', 'import']);

  for (const allow of [[], ['--allow', 'reach,edit']]) {
    it(`are in no answer of any tool ${allow.join(' ')}`, async () => {
      const client = await connect(allow);
      const { tools: listed } = await client.listTools();
      const told: string[] = [];
      let answers = 0;
      const calls = Object.keys(sourcesOf(0)).flatMap((name, index) =>
        tools
          .filter((tool) => listed.some((each) => each.name === tool.name) && (index === 0 || reading.has(tool.name)))
          .map((tool) => ({ name, tool })),
      );
      const ask = async ({ name, tool }: (typeof calls)[number]): Promise<void> => {
        const answer = await client
          .callTool({ name: tool.name, arguments: argumentsOf(tool, name) })
          .catch((error: unknown) => String(error));
        answers += 1;
        const said = JSON.stringify(answer);
        assert.doesNotMatch(said, /has no argument|needs [a-z]+:/u, tool.name);
        if (said.includes(mark)) told.push(`${name} ${tool.name}: ${said}`);
      };
      // Each is a process.
      while (calls.length > 0) await Promise.all(calls.splice(0, 4).map(ask));
      assert.deepEqual(told, []);
      assert.ok(answers > 30, String(answers));
      for (const { uri } of (await client.listResources()).resources)
        assert.ok(!JSON.stringify(await client.readResource({ uri })).includes(mark), uri);
    });
  }
});

/** Names of places, files and users, by which messages say what is wrong. No secret stands there. */
const names = /^(host|user|databases?(\.\[\])?|path(\.\[\])?|proxy|openapi|endpoints\.\[\]\.name)$/u;

const offline = { ENTITY_GRAPH_OFFLINE: '1' };
/** The commands that read data sources, as the other tools that do, and those that only read their files. */
const commandsOfSources = [
  [['validate', 'g.entity.yaml'], offline],
  [['show-query', 'g.entity.yaml', '--element', 'See'], offline],
  [['import', 'g.entity.yaml'], {}],
  [['sources', 'entity-sources.yaml'], {}],
] as const;
/** What the resource of a data sources file tells besides. */
const further =
  /^(catalogs?|schemas|graph|tables|(endpoints|scripted)\.\[\]\.(name|path|key|keyColumn)|watermarks\.\*|parts\.\*)(\.\[\])?$/u;

describe('a secret at any place of a data sources file', () => {
  it('is in no answer of a command', async () => {
    const folder = await folderWith({ 'g.entity.yaml': graphOf('shop') });
    const told: string[] = [];
    try {
      for (const { kind, path, settings } of settingPositions(`a-${mark}`)) {
        if (names.test(path)) continue;
        const text = `version: 1\ndataSources:\n  shop: ${JSON.stringify(settings)}\n`;
        await writeFile(join(folder, 'entity-sources.yaml'), text);
        for (const [args, env] of commandsOfSources) {
          const { stdout, stderr } = await runCommand([...args, '--format', 'json'], folder, env);
          if (args[0] === 'sources' && further.test(path)) continue;
          if ((stdout + stderr).includes(mark)) told.push(`${kind} ${path} ${args[0]}: ${stdout}${stderr}`);
        }
      }
    } finally {
      await removeFolder(folder);
    }
    assert.deepEqual(told, []);
  });
});
