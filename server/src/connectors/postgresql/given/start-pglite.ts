import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { OpenClient } from '../connection.ts';
import { ProcessStream } from './process-stream.ts';

/** The bundle is beside the others; sources and tests use that of the last build. */
function programPath(): string {
  const here = import.meta.url;
  return here === '' ? join(__dirname, 'pglite.js') : join(fileURLToPath(here), '../../../../../dist/pglite.js');
}

/**
 * Starts PGlite in a process of its own, which takes seconds and some 750 MB, and connects to it. Cancelling ends the
 * process. Rejects when it cannot be started, or with the reason of the signal.
 */
export async function startPglite(signal: AbortSignal | undefined): Promise<OpenClient> {
  signal?.throwIfAborted();
  const child = fork(programPath(), [], { execArgv: [], stdio: ['pipe', 'pipe', 'ignore', 'ipc'] });
  const stream = new ProcessStream(child);
  const client = new pg.Client({ user: 'postgres', database: 'postgres', ssl: false, stream: () => stream });
  let lost: unknown;
  // Without a listener, an error between two statements would end the process.
  client.on('error', (error) => (lost ??= error));
  const abandon = (): void => void stream.destroy();
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    await client.connect();
  } catch (error) {
    abandon();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
  return { client, cancel: async () => abandon(), lost: () => lost };
}
