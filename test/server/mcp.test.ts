import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { type AnySchema, Ajv2020 } from 'ajv/dist/2020.js';
import { tools } from '../../server/src/mcp/tools.ts';
import type { OptionSpec } from '../../server/src/cli/command.ts';
import { commands } from '../../server/src/cli/commands/index.ts';
import { agentCalls as calls } from '../support/agent-calls.ts';
import { type AgentShop, agentShop, call, openAgentShop } from '../support/agent-shop.ts';
import { runCommand } from '../support/run-command.ts';

const commandTools = tools.filter(({ command }) => command !== undefined);

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

/** Commands in this process change its folder. */
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine.catch(() => undefined);
  return mine;
}

describe('tools for agents', () => {
  let shop: AgentShop;
  before(async () => (shop = await openAgentShop(2)));
  afterEach(() => shop.disconnect());
  after(() => shop.close());

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
    const [modern, old] = [
      await shop.connect(['--allow', 'reach,edit'], 'auto'),
      await shop.connect(['--allow', 'reach,edit']),
    ];
    assert.deepEqual(
      [modern.getNegotiatedProtocolVersion(), old.getNegotiatedProtocolVersion()],
      ['2026-07-28', '2025-11-25'],
    );
    const { tools: listed } = await old.listTools();
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    const check = async (tool: (typeof listed)[number], client: Client): Promise<void> => {
      const [given, args, input] = calls[tool.name] ?? [{}, []];
      assert.ok(ajv.validate(tool.inputSchema as AnySchema, given), `${tool.name}: ${ajv.errorsText()}`);
      const answer = await call(client, tool.name, given);
      assert.equal(answer.isError, false, `${tool.name}: ${answer.text}`);
      assert.ok(
        ajv.validate(tool.outputSchema as AnySchema, answer.structured),
        `${tool.name}: ${ajv.errorsText()} ${answer.text}`,
      );
      assert.ok(answer.text.startsWith(JSON.stringify(answer.structured)), tool.name);
      const isOnline = ['validate', 'propose_edit', 'apply_edit'].includes(tool.name);
      const asked = isOnline ? [...args, '--online'] : args;
      const argv = [...asked, '--format', 'json', '--workspace', shop.folder];
      const { stdout } = await inTurn(() => runCommand(argv, shop.folder, {}, input));
      const printed = (tool.name === 'import' ? stdout.trimEnd().split('\n').at(-1) : stdout) ?? '';
      const json = JSON.parse(printed) as unknown;
      const { written: _, hash: __, ...structured } = answer.structured;
      assert.deepEqual(steady(structured), steady(Array.isArray(json) ? { items: json } : json), tool.name);
    };
    const commandsOf = (isWriting: boolean) =>
      listed.filter(
        ({ name, annotations }) => name !== 'read_graph' && (annotations?.readOnlyHint !== true) === isWriting,
      );
    // Each is a process.
    const reading = commandsOf(false);
    while (reading.length > 0)
      await Promise.all(reading.splice(0, 4).map((tool, index) => check(tool, index % 2 ? modern : old)));
    for (const tool of commandsOf(true)) await check(tool, modern);
  });

  it('say what is wrong with arguments, and what failed', async () => {
    const client = await shop.connect();
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
    assert.match(await said('propose_edit', { file, text: agentShop, edits: [] }), /takes text or edits, not both/);
    assert.match(await said('propose_edit', { file, edits: [{ kind: 'explode' }] }), /"code":"edit-refused"/);
    assert.match(await said('explain_format', { topic: 'no such thing' }), /Without a topic, all are listed/);
    assert.match(await said('complete_at', { file, line: -1, character: 0 }), /a whole number of at least 0/);
    assert.match(await said('query', { file, sql: "SELECT * FROM read_text('/etc/hostname')" }), /"code":"sql-error"/);
    assert.match(await said('query', { file, sql: `SELECT '${'x'.repeat(20_000)}'` }), /longer than 20000 characters/);
    await assert.rejects(client.callTool({ name: 'drop_tables', arguments: {} }), /There is no tool drop_tables/);
  });

  it('cut long values and many rows, and say so', async () => {
    const client = await shop.connect();
    const sql = "SELECT repeat('x', 3000) AS x FROM range(1000)";
    const { structured } = await call(client, 'query', { file: 'shop.entity.yaml', sql, limit: 900 });
    const answer = structured as { rows: readonly string[][]; truncated: boolean; characterLimit: number };
    const { rows: kept, truncated, characterLimit } = answer;
    assert.equal(kept[0]?.[0], `${'x'.repeat(2000)}… (1000 more characters)`);
    assert.ok(kept.length > 100 && kept.length < 200);
    assert.deepEqual([truncated, characterLimit], [true, 400_000]);
  });

  it('have prompts that name their argument', async () => {
    const client = await shop.connect();
    const { prompts } = await client.listPrompts();
    for (const { name, arguments: args = [] } of prompts) {
      const [argument] = args;
      const { messages } = await client.getPrompt({ name, arguments: { [argument?.name ?? '']: 'shop.entity.yaml' } });
      assert.match(JSON.stringify(messages), /shop\.entity\.yaml/);
      await assert.rejects(client.getPrompt({ name, arguments: {} }), /needs/);
    }
  });
});
