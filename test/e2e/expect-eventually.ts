import { setTimeout as pause } from 'node:timers/promises';

/** Tries until it succeeds; after the time is over, fails as the last try did. For what no event announces. */
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
