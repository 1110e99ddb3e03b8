import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { CannotRunError } from '../../given/given-rows.ts';
import type { OpenClient } from '../connection.ts';
import { Duplex } from 'node:stream';

/** The bundle is beside the others; sources and tests use that of the last build. */
function programPath(): string {
  const here = import.meta.url;
  return here === '' ? join(__dirname, 'pglite.js') : join(fileURLToPath(here), '../../../../../dist/pglite.js');
}

/**
 * Starts PGlite in a process of its own, which takes seconds and some 750 MB, and connects to it. Cancelling ends the
 * process. Rejects with a `CannotRunError` when it cannot be started, or with the reason of the signal.
 */
export async function startPglite(
  signal: AbortSignal | undefined,
  program: string = programPath(),
): Promise<OpenClient> {
  signal?.throwIfAborted();
  const child = fork(program, [], { execArgv: [], stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
  const ended = endOf(child);
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
    signal?.throwIfAborted();
    throw cannotStart(await ended, error);
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
  return { client, cancel: async () => abandon(), lost: () => lost };
}

/** The most characters of error output that are stored. */
const mostSaid = 10_000;

/** Why a process ended, in its own words as far as it has some; resolves when it has. */
function endOf(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-mostSaid);
  });
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', () => resolve(/^\s*(?:\w*Error|FATAL).*/m.exec(said)?.[0].trim() ?? ''));
  });
}

function cannotStart(end: string, cause: unknown): CannotRunError {
  const reason = end === '' ? (cause instanceof Error ? cause.message : String(cause)) : end;
  return new CannotRunError(
    `PGlite, which runs the SQL of PostgreSQL in tests, could not be started: ${reason.replace(/\.$/, '')}. It needs about 750 MB of memory.`,
  );
}

/** Replaces the socket of the driver by the standard streams of a process. */
class ProcessStream extends Duplex {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    super();
    this.#child = child;
    child.stdout?.on('data', (bytes) => void this.push(bytes));
    child.once('error', (error) => this.destroy(error));
    child.once('exit', () => this.destroy());
    // The exit of the process explains more than a broken pipe.
    child.stdin?.on('error', () => undefined);
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // No back pressure is needed, because a test has few rows.
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const { stdin } = this.#child;
    if (stdin) stdin.write(bytes, encoding, done);
    else done(new Error('PGlite has ended.'));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.kill('SIGKILL');
    done(error);
  }
}
