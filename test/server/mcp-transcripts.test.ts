import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { projectRoot } from '../support/doc-pages.ts';
import { cliPath } from '../support/run-cli.ts';

type Message = Readonly<Record<string, unknown>>;

const samples = join(projectRoot, 'samples/incidents');
const graph = 'incidents.entity.yaml';

/** Requests of a session, each with the name of its result in the published schema. */
const requests: readonly (readonly [result: string, method: string, params: Message])[] = [
  ['ListToolsResult', 'tools/list', {}],
  ['CallToolResult', 'tools/call', { name: 'list_graphs', arguments: {} }],
  ['CallToolResult', 'tools/call', { name: 'explain_format', arguments: { topic: '8.2' } }],
  ['CallToolResult', 'tools/call', { name: 'read_graph', arguments: { file: graph } }],
  ['CallToolResult', 'tools/call', { name: 'variants', arguments: {} }],
  ['ListResourcesResult', 'resources/list', {}],
  ['ListResourceTemplatesResult', 'resources/templates/list', {}],
  ['ReadResourceResult', 'resources/read', { uri: 'entity-graph://schema/entity-tests' }],
  ['ListPromptsResult', 'prompts/list', {}],
  ['GetPromptResult', 'prompts/get', { name: 'review_change', arguments: { file: graph } }],
  ['error', 'tools/call', { name: 'no_such_tool', arguments: {} }],
  ['error', 'resources/read', { uri: 'entity-graph://nothing' }],
  ['error', 'prompts/get', { name: 'nothing' }],
];

const clientInfo = { name: 'transcript', version: '1' };
const revisions = {
  '2025-06-18': {
    opening: [
      ['InitializeResult', 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }],
    ] as typeof requests,
    meta: {},
    errorResponse: 'JSONRPCError',
    response: 'JSONRPCResponse',
    notification: 'ServerNotification',
  },
  '2026-07-28': {
    opening: [['DiscoverResult', 'server/discover', {}]] as typeof requests,
    meta: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
    errorResponse: 'JSONRPCErrorResponse',
    response: 'JSONRPCResultResponse',
    notification: 'ServerNotification',
  },
} as const;

/** Every message that the server writes for a list of requests, which are sent one after the other. */
async function transcript(sent: typeof requests, meta: object): Promise<readonly Message[]> {
  const child = spawn(process.execPath, [cliPath, 'mcp', samples], { stdio: ['pipe', 'pipe', 'inherit'] });
  const received: Message[] = [];
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const [id, [, method, params]] of sent.entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, ...meta } })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      assert.notEqual(done, true);
      const message = JSON.parse(value as string) as Message;
      received.push(message);
      if (message['id'] === id) break;
    }
    if (method === 'initialize')
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  }
  const gone = once(child, 'exit');
  child.stdin.end();
  await gone;
  return received;
}

describe('messages to agents', () => {
  for (const [revision, { opening, meta, errorResponse, response, notification }] of Object.entries(revisions)) {
    it(`fit the published schema of ${revision}`, async () => {
      const file = join(projectRoot, `test/data/mcp-${revision}.schema.json.gz`);
      const schema = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Readonly<Record<string, object>>;
      const options = { strict: false, validateFormats: false };
      const ajv = schema['$defs'] ? new Ajv2020(options) : new Ajv(options);
      ajv.addSchema(schema, 'mcp');
      const defined = schema['$defs'] ? '$defs' : 'definitions';
      const check = (name: string, value: unknown): void => {
        const isValid = ajv.validate(`mcp#/${defined}/${name}`, value);
        assert.ok(isValid, `${name}: ${ajv.errorsText()} ${JSON.stringify(value).slice(0, 2000)}`);
      };
      const sent = [...opening, ...requests];
      const received = await transcript(sent, meta);
      for (const message of received) {
        if (message['id'] === undefined) {
          check(notification, message);
          continue;
        }
        const [result = ''] = sent[Number(message['id'])] ?? [];
        check(result === 'error' ? errorResponse : response, message);
        if (result !== 'error') check(result, message['result']);
      }
      assert.equal(received.filter(({ id }) => id !== undefined).length, sent.length);
      if (revision === '2025-06-18')
        assert.equal((received[0]?.['result'] as Message)['protocolVersion'], '2025-06-18');
    });
  }
});
