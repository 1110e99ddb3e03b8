import { fork } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  ReaderAnswer,
  ReaderMethod,
  ReaderMethods,
  SqliteFailure,
  StreamParams,
  StreamResult,
  WrittenSegment,
} from './reader-messages.ts';

export { checkTextFunction, writeRowFunction } from './reader-messages.ts';
export type { SqliteCell, SqliteColumn, SqliteRows, WrittenSegment } from './reader-messages.ts';

/** An error of SQLite, or of the process that reads the file. */
export class SqliteError extends Error {
  /** Such as `SQLITE_BUSY`, a code of Node.js such as `ENOSPC`, or empty. */
  readonly code: string;

  constructor({ message, code }: SqliteFailure) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

/** An SQLite file that is read in a process of its own. Rejects with `SqliteError`, or with the reason of the signal. */
export interface SqliteReader {
  readonly request: <M extends Exclude<ReaderMethod, 'open' | 'stream' | 'taken'>>(
    method: M,
    params: ReaderMethods[M]['params'],
    signal?: AbortSignal,
  ) => Promise<ReaderMethods[M]['result']>;
  /**
   * Streams rows of a statement that writes them (`writeRowFunction`) through files with this path prefix. Waits for
   * `take`, which deletes the file, so that at most two files exist. None is left behind when it rejects.
   */
  readonly stream: (
    params: StreamParams,
    take: (segment: WrittenSegment) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<StreamResult>;
  /** Ends the process; idempotent. */
  close(): void;
}

async function removeFiles(prefix: string): Promise<void> {
  const folder = dirname(prefix);
  const files = await readdir(folder).catch(() => []);
  const left = files.filter((file) => file.startsWith(basename(prefix)));
  await Promise.all(left.map((file) => rm(join(folder, file), { force: true })));
}

/** Time that a locked file is waited for. */
const busyMs = 5_000;

/** The bundle is beside the others; sources and tests use that of the last build. */
function programPath(): string {
  const here = import.meta.url;
  return here === '' ? join(__dirname, 'sqlite.js') : join(dirname(fileURLToPath(here)), '../../../dist/sqlite.js');
}

/**
 * Opens a file read only. An abort, which no call survives, ends the process at once, wherever SQLite is.
 */
// eslint-disable-next-line max-lines-per-function -- One process: sending, segments and its end share the open requests and the first failure.
export async function openSqliteReader(path: string, signal?: AbortSignal): Promise<SqliteReader> {
  signal?.throwIfAborted();
  const child = fork(programPath(), [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const open = new Map<number, { resolve: (result: unknown) => void; reject: (error: unknown) => void }>();
  let take: ((segment: WrittenSegment) => Promise<void>) | undefined;
  let requests = 0;
  let ended: SqliteError | undefined;

  child.on('message', (message) => {
    const answer = message as ReaderAnswer;
    if ('segment' in answer) taking = taken(answer.segment);
    else {
      const asked = open.get(answer.id);
      open.delete(answer.id);
      if ('failure' in answer) asked?.reject(new SqliteError(answer.failure));
      else asked?.resolve(answer.result);
    }
  });
  const end = (how: string): void => {
    ended = new SqliteError({ message: `The process that reads the file has ended (${how}).`, code: '' });
    for (const { reject } of open.values()) reject(ended);
    open.clear();
  };
  child.on('error', (error) => child.pid === undefined && end(error.message));
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, by) => {
      end(by ?? `exit code ${code}`);
      resolve();
    });
  });

  let failure: unknown;
  let taking: Promise<void> = Promise.resolve();
  async function taken(segment: WrittenSegment): Promise<void> {
    try {
      if (failure === undefined) await take?.(segment);
    } catch (error) {
      failure = error;
      close();
      return;
    }
    void send('taken', {}).catch(() => undefined);
  }

  function send<M extends ReaderMethod>(
    method: M,
    params: ReaderMethods[M]['params'],
    stop?: AbortSignal,
  ): Promise<ReaderMethods[M]['result']> {
    return new Promise((resolve, reject) => {
      if (stop?.aborted) return reject(stop.reason as Error);
      if (ended) return reject(ended);
      const id = ++requests;
      const onAbort = (): void => {
        close();
        reject(stop?.reason as Error);
      };
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T): void => {
          stop?.removeEventListener('abort', onAbort);
          then(value);
        };
      stop?.addEventListener('abort', onAbort, { once: true });
      open.set(id, {
        resolve: settle((result) => resolve(result as ReaderMethods[M]['result'])),
        reject: settle(reject),
      });
      child.send({ id, method, params }, (error) => error && !ended && end(error.message));
    });
  }

  /** A process at work may not listen for long; an idle one removes the files of its write-ahead log. */
  function close(): void {
    if (open.size > 0) child.kill('SIGKILL');
    else if (child.connected) child.disconnect();
  }

  const reader: SqliteReader = {
    request: (method, params, stop) => send(method, params, stop),
    async stream(params, onSegment, stop) {
      take = onSegment;
      try {
        return await send('stream', params, stop);
      } catch (error) {
        // Waits for the end of the process, as it could still write files.
        if (child.killed) await exited;
        await taking;
        await removeFiles(params.prefix);
        throw failure ?? error;
      } finally {
        take = undefined;
      }
    },
    close,
  };
  try {
    await send('open', { path, busyMs }, signal);
    return reader;
  } catch (error) {
    close();
    throw error;
  }
}
