import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchResult } from './bench-result.ts';
import { besideFloor } from './measure.ts';

const serverPath = fileURLToPath(new URL('../server/dist/main.js', import.meta.url));
const runs = 11;
const goal = 4;

/**
 * Time from starting the language server to its `initialize` response, compared with an idle Node process: with the
 * code that an earlier start has cached, as editors find it, and without.
 */
export async function run(): Promise<readonly BenchResult[]> {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'entity-graph-bench-'));
  try {
    const cached = { ...process.env, XDG_CACHE_HOME: cacheFolder, LOCALAPPDATA: cacheFolder, HOME: cacheFolder };
    const uncached = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
    await timeInitialize(cached, 'exit');
    const [bare, first, later]: [number[], number[], number[]] = [[], [], []];
    // Alternating, so that other load affects all.
    for (let index = 0; index < runs; index += 1) {
      bare.push(await timeBareNode());
      first.push(await timeInitialize(uncached, 'kill'));
      later.push(await timeInitialize(cached, 'kill'));
    }
    return [
      resultOf('language server: start to answer', later, bare),
      resultOf('language server: first start to answer, without cached code', first, bare),
    ];
  } finally {
    await rm(cacheFolder, { recursive: true, force: true });
  }
}

function resultOf(name: string, starts: readonly number[], bare: readonly number[]): BenchResult {
  const both = besideFloor(starts, bare);
  return { name, unit: 'ms', ...both, goal: `≤ ${goal} × a bare Node start`, ok: both.ratio <= goal };
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

/** @param end `exit` lets the server cache its code. */
function timeInitialize(env: NodeJS.ProcessEnv, end: 'exit' | 'kill'): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [serverPath, '--stdio'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const send = (message: object): void => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    let elapsed = 0;
    child.stdout.once('data', () => {
      elapsed = performance.now() - start;
      if (end === 'kill') child.kill();
      else {
        send({ id: 2, method: 'shutdown' });
        send({ method: 'exit' });
      }
    });
    child.on('error', reject);
    child.on('close', () =>
      elapsed > 0 ? resolve(elapsed) : reject(new Error('The language server ended without an answer.')),
    );
    send({ id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {} } });
  });
}
