import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a program of this folder with a job and resolves to its result. A process per measurement keeps memory figures
 * independent.
 */
export async function inProcess<Measurement>(program: string, order: object): Promise<Measurement> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), { execArgv: ['--import', 'tsx'] });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The measured process ended with code ${String(code)}.`);
  });
  child.send(order);
  const [measurement] = (await Promise.race([once(child, 'message'), failed])) as [Measurement];
  await failed.catch(() => undefined);
  return measurement;
}

/** Handles the job of this process. */
export function answerOrder<Order, Measurement>(work: (order: Order) => Promise<Measurement>): void {
  process.once('message', (order: Order) => {
    void work(order).then((measurement) => process.send?.(measurement as object, () => process.disconnect()));
  });
}

/** Peak resident memory of this process so far, DuckDB's included, in MB. */
export function peakMegabytes(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}
