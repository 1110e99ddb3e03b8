import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenStore } from '../connectors/connector-context.ts';
import { acquireLock } from '../state/import-lock.ts';

/** Timeout of waiting for another process's renewal. */
const maxWaitMs = 30_000;
const lookEveryMs = 50;

/** Per user and machine, like the token storage. */
function usualFolder(): string {
  return join(tmpdir(), `entity-graph-logins-${hashOf(homedir()).slice(0, 12)}`);
}

/**
 * A token storage whose tokens are renewed by one process at a time: editor windows, and imports in their own
 * processes.
 * @param folder for locks between the processes.
 */
export function lockedTokenStore(store: TokenStore, folder = usualFolder()): TokenStore {
  return {
    ...store,
    async alone(name, work) {
      const release = await turn(join(folder, `${hashOf(name)}.lock`));
      try {
        return await work();
      } finally {
        await release?.().catch(() => undefined);
      }
    },
  };
}

/** Undefined when the lock cannot be taken; the token is then renewed without it. */
async function turn(path: string): Promise<(() => Promise<void>) | undefined> {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    const attempt = await acquireLock(path).catch(() => undefined);
    if (attempt?.kind === 'locked') return () => attempt.release();
    if (!attempt || performance.now() > until) return undefined;
    await sleep(lookEveryMs);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
