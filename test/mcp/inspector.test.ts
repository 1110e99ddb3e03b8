import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { tools } from '../../server/src/mcp/tools.ts';
import { projectRoot } from '../support/doc-pages.ts';
import { cliPath, runCli } from '../support/run-cli.ts';

const folder = join(projectRoot, 'samples/incidents');

interface Inspected {
  readonly tools?: readonly { readonly name: string }[];
  readonly resources?: readonly { readonly uri: string }[];
  readonly prompts?: readonly { readonly name: string }[];
  readonly contents?: readonly { readonly text: string }[];
  readonly messages?: readonly { readonly content: { readonly text: string } }[];
  readonly structuredContent?: unknown;
  readonly content?: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

async function inspect(...args: readonly string[]): Promise<Inspected> {
  const url = new URL('../../scripts/mcp-clients.mjs', import.meta.url).href;
  const { inspectorProgram } = (await import(url)) as { readonly inspectorProgram: string };
  const command = [inspectorProgram, '--cli', process.execPath, cliPath, 'mcp', folder, ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, printed + errors);
  // The inspector prints a note about newer versions before its answer.
  return JSON.parse(printed.slice(printed.indexOf('{'))) as Inspected;
}

describe('the inspector of the Model Context Protocol in its command-line mode', () => {
  it('lists the tools', async () => {
    const listed = (await inspect('--method', 'tools/list')).tools?.map(({ name }) => name);
    const reading = tools.filter(({ needs }) => needs === undefined).map(({ name }) => name);
    assert.deepEqual(listed, reading);
  });

  it('calls a tool, whose answer is the JSON of the command line', async () => {
    const call = ['--method', 'tools/call', '--tool-name'];
    const { structuredContent } = await inspect(...call, 'describe_graph', '--tool-arg', 'file=trail.entity.yaml');
    const { stdout } = await runCli(['describe', join(folder, 'trail.entity.yaml'), '--format', 'json']);
    assert.deepEqual(structuredContent, JSON.parse(stdout));
    const refused = await inspect(...call, 'variants', '--tool-arg', 'file=../x.entity.yaml');
    assert.equal(refused.isError, true);
    assert.match(refused.content?.[0]?.text ?? '', /is not in the workspace/);
  });

  it('lists and reads resources and prompts', async () => {
    const uris = (await inspect('--method', 'resources/list')).resources?.map(({ uri }) => uri) ?? [];
    assert.ok(uris.includes('entity-graph://schema/entity-graph') && uris.length > 5, uris.join());
    const read = await inspect('--method', 'resources/read', '--uri', 'entity-graph://specification/8.2');
    assert.match(read.contents?.[0]?.text ?? '', /## 8\.2 Times without zone/);
    const names = (await inspect('--method', 'prompts/list')).prompts?.map(({ name }) => name);
    assert.deepEqual(names, ['explain_process', 'review_change', 'model_tables']);
    const given = ['--prompt-name', 'review_change', '--prompt-args', 'file=trail.entity.yaml'];
    const { messages } = await inspect('--method', 'prompts/get', ...given);
    assert.match(messages?.[0]?.content.text ?? '', /trail\.entity\.yaml/);
  });
});
