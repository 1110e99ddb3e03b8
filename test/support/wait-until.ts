import { setTimeout as delay } from 'node:timers/promises';

/** Polls `check` until it returns a value other than undefined; rejects after `timeoutMs`. */
export async function waitUntil<T>(what: string, check: () => Promise<T | undefined>, timeoutMs = 120_000): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await delay(10);
  }
}
