import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BenchResult } from './bench-result.ts';

const serverPath = fileURLToPath(new URL('../server/dist/main.js', import.meta.url));
const runs = 11;
const goal = 4;

/** Time from starting the language server to its `initialize` response, compared with an idle Node process. */
export async function run(): Promise<readonly BenchResult[]> {
  const bare: number[] = [];
  const server: number[] = [];
  // Alternating, so that other load affects both.
  for (let index = 0; index < runs; index += 1) {
    bare.push(await timeBareNode());
    server.push(await timeInitialize());
  }
  const value = median(server);
  const floor = median(bare);
  const ratio = value / floor;
  return [
    {
      name: 'language server: start to answer',
      value,
      unit: 'ms',
      floor,
      ratio,
      goal: `≤ ${goal}× a bare Node start`,
      ok: ratio <= goal,
    },
  ];
}

function timeBareNode(): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("1")'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let elapsed = 0;
    child.stdout.once('data', () => (elapsed = performance.now() - start));
    child.on('error', reject);
    child.on('close', () => resolve(elapsed));
  });
}

function timeInitialize(): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [serverPath, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let elapsed = 0;
    child.stdout.once('data', () => {
      elapsed = performance.now() - start;
      child.kill();
    });
    child.on('error', reject);
    child.on('close', () =>
      elapsed > 0 ? resolve(elapsed) : reject(new Error('The language server ended without an answer.')),
    );
    const params = { processId: process.pid, rootUri: null, capabilities: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
