// The process that reads an SQLite file. SQLite runs synchronously here; the parent cancels by ending the process.
import { closeSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { createRowCap } from '../capped-rows.ts';
import type {
  ReaderAnswer,
  ReaderMethod,
  ReaderMethods,
  ReaderRequest,
  SqliteCell,
  SqliteFailure,
  StreamParams,
} from './reader-messages.ts';

type Database = InstanceType<typeof DatabaseSync>;

type Answers = {
  readonly [M in ReaderMethod]: (
    params: ReaderMethods[M]['params'],
  ) => ReaderMethods[M]['result'] | Promise<ReaderMethods[M]['result']>;
};

/** Bytes that are written at once. */
const bufferLength = 1024 * 1024;

const lineEnd = 0x0a;

/** Length of the n-th file of rows, from 0. DuckDB loads large files faster, but the first are small so that it starts early. */
const segmentLength = (number: number): number => Math.min(24_000_000, 3_000_000 * 2 ** number);

/** Files that are written and not yet read. */
const mostWaiting = 2;

let database: Database | undefined;
/** An iterator does not keep its statement: one that is collected while its rows are read crashes the process. */
const running = new Set<StatementSyncInstance>();
let waiting = 0;
let onTaken: (() => void) | undefined;

const answers: Answers = {
  open({ path, busyMs }) {
    // Names in double quotes are never texts, so that a misspelt name is an error.
    database = new DatabaseSync(path, {
      readOnly: true,
      timeout: busyMs,
      allowExtension: false,
      enableDoubleQuotedStringLiterals: false,
    });
    database.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA case_sensitive_like = ON');
    // A file that is no database is noticed by the first read.
    opened().prepare('SELECT count(*) FROM sqlite_schema').get();
    return null;
  },
  snapshot() {
    opened().exec('BEGIN');
    opened().prepare('SELECT count(*) FROM sqlite_schema').get();
    return null;
  },
  columns: ({ sql }) =>
    prepare(sql)
      .columns()
      .map(({ name, type, table, column }) => ({ name, type, table, column })),
  rows({ sql, limit }) {
    const statement = prepare(sql);
    statement.setReturnArrays(true);
    const cap = createRowCap<SqliteCell>(limit);
    for (const row of statement.iterate()) if (!cap.add((row as readonly unknown[]).map(cellOf))) break;
    return cap.result();
  },
  stream,
  taken() {
    waiting -= 1;
    onTaken?.();
    return null;
  },
};

function opened(): Database {
  if (!database) throw new Error('The file is not open.');
  return database;
}

function prepare(sql: string): StatementSyncInstance {
  const statement = opened().prepare(sql);
  running.add(statement);
  statement.setReadBigInts(true);
  return statement;
}

function cellOf(value: unknown): SqliteCell {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value as string | number | null;
}

async function stream({ sql, prefix }: StreamParams): Promise<{ readonly rows: number }> {
  const statement = prepare(sql);
  statement.setReturnArrays(true);
  const buffer = Buffer.allocUnsafe(bufferLength);
  let rows = 0;
  let segments = 0;
  let longestRow = 0;
  let buffered = 0;
  let length = 0;
  let file: number | undefined;
  const path = (): string => `${prefix}${segments + 1}.csv`;
  const write = (bytes: Uint8Array): void => {
    file ??= openSync(path(), 'wx', 0o600);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    length += bytes.length;
  };
  const flush = (): void => {
    if (buffered > 0) write(buffer.subarray(0, buffered));
    buffered = 0;
  };
  const finish = async (): Promise<void> => {
    flush();
    if (file === undefined) return;
    closeSync(file);
    file = undefined;
    length = 0;
    const segment = { path: path(), rows, longestRow };
    segments += 1;
    waiting += 1;
    send({ segment });
    while (waiting >= mostWaiting) await new Promise<void>((resolve) => (onTaken = resolve));
  };
  try {
    for (const row of statement.iterate()) {
      const line = (row as unknown as readonly [string])[0];
      // A UTF-16 unit has at most three bytes.
      const most = line.length * 3;
      rows += 1;
      if (most > longestRow) longestRow = most;
      if (buffered + most >= bufferLength) {
        flush();
        if (length >= segmentLength(segments)) await finish();
      }
      if (most >= bufferLength) write(Buffer.from(`${line}\n`, 'utf8'));
      else {
        buffered += buffer.write(line, buffered);
        buffer[buffered] = lineEnd;
        buffered += 1;
      }
    }
    await finish();
  } finally {
    if (file !== undefined) closeSync(file);
  }
  while (waiting > 0) await new Promise<void>((resolve) => (onTaken = resolve));
  return { rows };
}

function failureOf(error: unknown): SqliteFailure {
  const {
    message = String(error),
    code = '',
    sqliteCodeName,
  } = error as Partial<Error & { readonly code: string; readonly sqliteCodeName: string }>;
  return { message, code: sqliteCodeName ?? code };
}

function send(answer: ReaderAnswer): void {
  if (process.connected) process.send?.(answer, () => undefined);
}

async function handle({ id, method, params }: ReaderRequest): Promise<void> {
  try {
    const answer = answers[method] as (params: unknown) => unknown;
    const result = await answer(params);
    if (method !== 'taken') running.clear();
    send({ id, result });
  } catch (error) {
    send({ id, failure: failureOf(error) });
  }
}

process.on('message', (request) => void handle(request as ReaderRequest));
process.on('disconnect', () => {
  database?.close();
  process.exit();
});
