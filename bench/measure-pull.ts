import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PullMeasurement } from './postgresql-pull-order.ts';

/** Duration and peaks of memory of some work in this process. */
export async function measurePull(work: () => Promise<unknown>): Promise<PullMeasurement> {
  const peak = { node: 0, resident: 0 };
  const sampler = setInterval(() => {
    const { heapUsed, external, rss } = process.memoryUsage();
    peak.node = Math.max(peak.node, heapUsed + external);
    peak.resident = Math.max(peak.resident, rss);
  }, 20);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  clearInterval(sampler);
  return { seconds, nodeMegabytes: peak.node / 1e6, residentMegabytes: peak.resident / 1e6 };
}

/** Sends an order to a program of this folder. A process per measurement keeps memory figures independent. */
export async function measureInProcess(program: string, order: object): Promise<PullMeasurement> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), { execArgv: ['--import', 'tsx'] });
  child.send(order);
  const [measurement] = (await Promise.race([once(child, 'message'), failure(child)])) as [PullMeasurement];
  return measurement;
}

async function failure(child: ReturnType<typeof fork>): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`The measured process ended with code ${code}.`);
}
