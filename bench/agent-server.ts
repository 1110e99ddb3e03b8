import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { residentMemory } from '../test/server/resident-memory.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, median } from './measure.ts';

const program = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const samples = fileURLToPath(new URL('../samples/incidents', import.meta.url));
const runs = 7;
const [mostRatio, mostMegabytes] = [1.5, 60];

/**
 * `entity-graph mcp`: from its start to the answer to `initialize`, beside a whole process of `entity-graph status`; and
 * its resident memory ten seconds after `initialize` and `tools/list`, without a call.
 */
export async function run(): Promise<readonly BenchResult[]> {
  const [starts, status, memory]: [number[], number[], number[]] = [[], [], []];
  for (let index = 0; index < runs; index += 1) {
    status.push(timeOfStatus());
    const { child, elapsed } = await open();
    starts.push(elapsed);
    child.kill();
  }
  for (let index = 0; index < 3; index += 1) {
    const { child } = await open();
    await setTimeout(10_000);
    memory.push((await residentMemory(child.pid ?? 0)) / 2 ** 20);
    child.kill();
  }
  const both = besideFloor(starts, status);
  const megabytes = median(memory);
  return [
    {
      name: 'tools for agents: start to first answer, beside entity-graph status',
      unit: 'ms',
      ...both,
      goal: `≤ ${mostRatio} × status`,
      ok: both.ratio <= mostRatio,
    },
    {
      name: 'tools for agents: resident memory 10 s after tools/list',
      unit: 'MB',
      value: megabytes,
      rounds: memory,
      goal: `≤ ${mostMegabytes} MiB`,
      ok: megabytes <= mostMegabytes,
    },
  ];
}

function timeOfStatus(): number {
  const start = performance.now();
  spawnSync(process.execPath, [program, 'status', samples, '--format', 'json'], { stdio: 'ignore' });
  return performance.now() - start;
}

/** A server that has listed its tools, and the time until it answered `initialize`. */
async function open(): Promise<{ readonly child: ChildProcess; readonly elapsed: number }> {
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'mcp', samples], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'bench', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  await once(lines, 'line');
  const elapsed = performance.now() - start;
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  await once(lines, 'line');
  return { child, elapsed };
}
