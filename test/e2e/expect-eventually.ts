import { setTimeout as pause } from 'node:timers/promises';

/** Retries until success; on timeout, throws the last error. For changes without an event. */
export async function expectEventually(attempt: () => Promise<void>, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(100);
    }
  }
}
