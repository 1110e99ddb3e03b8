import { isUtf8 } from 'node:buffer';
import type { MessagePort } from 'node:worker_threads';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { createRowCap } from '../capped-rows.ts';
import type { Backlog } from './backlog.ts';
import {
  type ReaderAnswer,
  type ReaderMethods,
  type SqliteCell,
  type SqliteFailure,
  type StreamResult,
  type ThreadRequest,
  checkTextFunction,
  writeRowFunction,
} from './reader-messages.ts';
import { createSegmentWriter } from './write-segments.ts';

type Database = InstanceType<typeof DatabaseSync>;

type Answers = {
  readonly [M in ThreadRequest['method']]: (params: ReaderMethods[M]['params']) => ReaderMethods[M]['result'];
};

/** Answers requests for one file. SQLite runs synchronously: requests are answered one after another. */
export function answerRequests(port: MessagePort, backlog: Backlog): void {
  const send = (answer: ReaderAnswer): void => port.postMessage(answer);
  let database: Database | undefined;
  /** An iterator does not keep its statement: one that is collected while its rows are read crashes the process. */
  const running = new Set<StatementSyncInstance>();

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

  const answers: Answers = {
    open({ path, busyMs }) {
      database = openDatabase(path, busyMs);
      // The first read finds a file that is not a database.
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
    stream({ sql, prefix, textsSql }) {
      const writer = createSegmentWriter(prefix, backlog, (segment) => send({ segment }));
      // SQLite calls a function in a quarter of the time in which a row is handed over as the result of a statement.
      let failure: unknown;
      let mayBeInvalid = false;
      opened().function(writeRowFunction, (line: string) => {
        try {
          mayBeInvalid ||= line.includes('\ufffd');
          writer.row(line);
        } catch (error) {
          failure = error;
          throw error;
        }
        return null;
      });
      try {
        prepare(sql).get();
        const rows = writer.end();
        return mayBeInvalid ? { rows, invalidText: invalidText(opened(), () => prepare(textsSql).get()) } : { rows };
      } catch (error) {
        throw failure ?? error;
      } finally {
        writer.close();
      }
    },
  };

  port.on('message', (request: ThreadRequest | 'close') => {
    if (request === 'close') {
      database?.close();
      port.close();
      return;
    }
    const { id, method, params } = request;
    try {
      const answer = answers[method] as (params: unknown) => unknown;
      send({ id, result: answer(params) });
    } catch (error) {
      send({ id, failure: failureOf(error) });
    }
    running.clear();
  });
}

function openDatabase(path: string, busyMs: number): Database {
  // Names in double quotes are never texts, so that a misspelt name is an error.
  const database = new DatabaseSync(path, {
    readOnly: true,
    timeout: busyMs,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
  });
  database.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA case_sensitive_like = ON');
  return database;
}

/** Bytes that are not UTF-8 are replaced on the way, by a character that a text may have as well. */
function invalidText(database: Database, readTexts: () => void): StreamResult['invalidText'] {
  // Texts in UTF-16 are converted by SQLite.
  if (database.prepare('PRAGMA encoding').get()?.['encoding'] !== 'UTF-8') return undefined;
  let found: StreamResult['invalidText'];
  database.function(checkTextFunction, (column: unknown, bytes: unknown) => {
    if (found || !(bytes instanceof Uint8Array) || isUtf8(bytes)) return null;
    found = { column: Number(column), text: Buffer.from(bytes).toString('utf8') };
    return null;
  });
  readTexts();
  return found;
}

function cellOf(value: unknown): SqliteCell {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return value as string | number | null;
}

function failureOf(error: unknown): SqliteFailure {
  const {
    message = String(error),
    code = '',
    sqliteCodeName,
  } = error as Partial<Error & { readonly code: string; readonly sqliteCodeName: string }>;
  return { message, code: sqliteCodeName ?? code };
}
