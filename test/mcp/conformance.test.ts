import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { projectRoot } from '../support/doc-pages.ts';
import { cliPath } from '../support/run-cli.ts';
import { type HttpBridge, startHttpBridge } from './http-bridge.ts';

/** Scenarios that any server of tools, resources and prompts passes. */
const passed = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list'];

const reference = 'asks for a tool, resource or prompt that only the reference server of the suite has';
const transport = 'is about HTTP, which the bridge of the tests speaks, not the server';
const absent = 'is about a capability that the server does not declare';

/** All others, with the reason. */
const excluded: Readonly<Record<string, string>> = {
  'tools-call-simple-text': reference,
  'tools-call-image': reference,
  'tools-call-audio': reference,
  'tools-call-embedded-resource': reference,
  'tools-call-mixed-content': reference,
  'tools-call-error': reference,
  'tools-call-with-progress': reference,
  'json-schema-2020-12': reference,
  'resources-read-text': reference,
  'resources-read-binary': reference,
  'resources-templates-read': reference,
  'prompts-get-simple': reference,
  'prompts-get-with-args': reference,
  'prompts-get-embedded-resource': reference,
  'prompts-get-with-image': reference,
  'logging-set-level': absent,
  'completion-complete': absent,
  'tools-call-with-logging': absent,
  'tools-call-sampling': absent,
  'tools-call-elicitation': absent,
  'elicitation-sep1034-defaults': absent,
  'elicitation-sep1330-enums': absent,
  'resources-subscribe': absent,
  'resources-unsubscribe': absent,
  'server-sse-polling': transport,
  'server-sse-multiple-streams': transport,
  'dns-rebinding-protection': transport,
};

async function suite(...args: readonly string[]): Promise<{ readonly code: number; readonly printed: string }> {
  const url = new URL('../../scripts/mcp-clients.mjs', import.meta.url).href;
  const { conformanceProgram } = (await import(url)) as { readonly conformanceProgram: string };
  const child = spawn(process.execPath, [conformanceProgram, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, printed: printed + errors };
}

describe('the conformance suite of the Model Context Protocol', () => {
  let bridge: HttpBridge;
  before(async () => {
    bridge = await startHttpBridge(process.execPath, [cliPath, 'mcp', join(projectRoot, 'samples/incidents')]);
  });
  after(() => bridge.close());

  it('has no scenario that is neither run nor excluded', async () => {
    const { printed } = await suite('list', '--server');
    const known = [...printed.matchAll(/^ {2}- ([\w-]+)$/gmu)].map(([, name]) => name);
    assert.deepEqual(known.toSorted(), [...passed, ...Object.keys(excluded)].toSorted());
  });

  for (const scenario of passed) {
    it(`is passed: ${scenario}`, async () => {
      const { code, printed } = await suite('server', '--url', bridge.url, '--scenario', scenario);
      assert.equal(code, 0, printed);
      assert.match(printed, /Passed: [1-9]\d*\/[1-9]\d*, 0 failed, 0 warnings/u);
    });
  }
});
