import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenStore } from '../connectors/connector-context.ts';
import { acquireLock } from '../state/import-lock.ts';

/** Whoever takes longer to renew a token is not waited for. */
const longestWaitMs = 30_000;
const lookEveryMs = 50;

/** Of this user on this machine, as is the storage. */
function usualFolder(): string {
  return join(tmpdir(), `entity-graph-logins-${hashOf(homedir()).slice(0, 12)}`);
}

/**
 * The same store, whose tokens are renewed by one program at a time: windows of the editor, and imports, which have a process of their own.
 * @param folder where the programs see one another.
 */
export function tokensInTurn(store: TokenStore, folder = usualFolder()): TokenStore {
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

/** Undefined where no turn can be had: a token is then renewed all the same. */
async function turn(path: string): Promise<(() => Promise<void>) | undefined> {
  const until = performance.now() + longestWaitMs;
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
