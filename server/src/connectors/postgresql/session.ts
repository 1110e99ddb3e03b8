import { cancellable } from '../database-server/cancellable.ts';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { openClient, type OpenClient } from './connection.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExecutedSql } from './error-position.ts';
import type { ExplainError } from './errors.ts';
import { readDriverError } from './driver-error.ts';
import { sessionSetup } from './session-setup.ts';

/** A connection with the setup of `sessionSetup`. Its errors are `SourceError`s. */
export interface Session {
  /** Runs trusted statements, several in one text. Resolves to the row count of a single one. */
  run(sql: string, signal: AbortSignal | undefined): Promise<number | undefined>;
  /** Runs one trusted query; values as parsed by the driver. */
  rows<Row extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<Row[]>;
  /** Runs one statement that contains user text: several statements are rejected. Values are PostgreSQL's texts. */
  texts(executed: ExecutedSql, signal: AbortSignal | undefined): Promise<TextResult>;
  /**
   * Like `texts`, row by row: when `onRow` returns false, the statement is cancelled and remaining rows are dropped.
   */
  eachText(executed: ExecutedSql, onRow: OnText, signal: AbortSignal | undefined): Promise<ReadTexts>;
  /** Runs a `COPY … TO STDOUT` into `target`; resolves when finished to the row count reported by the server. */
  copy(executed: ExecutedSql, target: Writable, signal: AbortSignal | undefined): Promise<number>;
  /** Closes the connection with an open transaction; idempotent, never rejects. */
  close(): Promise<void>;
}

/** Whether to continue with the next row. */
export type OnText = (row: readonly (string | null)[]) => boolean;

interface ReadTexts {
  readonly fields: readonly pg.FieldDef[];
  /** Whether it was stopped, which aborts an open transaction. */
  readonly isStopped: boolean;
}

interface TextResult {
  readonly fields: readonly pg.FieldDef[];
  readonly rows: readonly (readonly (string | null)[])[];
}

interface SessionOptions {
  readonly statementTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Connects and sets up the session. Rejects with a `SourceError`, or with the signal's reason. */
export async function openSession(
  config: PostgresqlConfig,
  explain: ExplainError,
  options: SessionOptions,
): Promise<Session> {
  const opened = await openClient(config, explain, options.signal);
  const session = sessionOf(opened, explain);
  try {
    await session.run(sessionSetup(config, options.statementTimeoutMs), options.signal);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The session of a connection that is set up already. */
export function sessionOf({ client, cancel: sendCancel, lost }: OpenClient, explain: ExplainError): Session {
  const run = <T>(signal: AbortSignal | undefined, work: () => Promise<T>, executed?: ExecutedSql): Promise<T> =>
    cancellable(signal, work, {
      cancel: sendCancel,
      cut: () => void client.connection.stream.destroy(),
      // The original connection error explains more than the driver's later ones.
      explain: (error) => explain(lost() ?? error, executed && { executed }),
    });

  let ended: Promise<void> | undefined;
  return {
    run: (sql, signal) => run(signal, async () => rowCountOf(await client.query(sql))),
    rows: <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[], signal: AbortSignal | undefined) =>
      run(signal, async () => (await client.query<Row>(sql, [...values])).rows),
    texts: (executed, signal) =>
      run(
        signal,
        async () => {
          const query = { text: executed.text, rowMode: 'array' as const, queryMode: 'extended', types: asTexts };
          const { fields, rows } = await client.query<(string | null)[]>(query);
          return { fields, rows };
        },
        executed,
      ),
    eachText: (executed, onRow, signal) =>
      run(signal, () => readTexts(client, executed.text, onRow, sendCancel), executed),
    copy: (executed, target, signal) => run(signal, () => copyInto(client, executed.text, target), executed),
    close: () => (ended ??= endClient(client)),
  };
}

/** Several statements in one text have one result each: the last one counts. */
function rowCountOf(result: pg.QueryResult | readonly pg.QueryResult[]): number | undefined {
  const last = 'rowCount' in result ? result : result.at(-1);
  return last?.rowCount ?? undefined;
}

/** The driver's parsing would lose microseconds and large integers. */
const asTexts = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;

async function readTexts(client: pg.Client, sql: string, onRow: OnText, stop: () => Promise<void>): Promise<ReadTexts> {
  const config = { text: sql, rowMode: 'array' as const, queryMode: 'extended', types: asTexts };
  const query = new pg.Query<(string | null)[]>(config);
  let fields: readonly pg.FieldDef[] = [];
  let stopping: Promise<void> | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    query.on('row', (row, result) => {
      if (stopping) return;
      fields = result?.fields ?? fields;
      if (!onRow(row)) stopping = stop();
    });
    query.on('end', (result) => {
      fields = result.fields;
      resolve();
    });
    // Ignores errors after the query was stopped or has ended.
    query.on('error', (error) => (stopping ? resolve() : reject(error)));
  });
  client.query(query);
  await ended;
  // A late cancel request would cancel the next statement.
  await stopping;
  return { fields, isStopped: stopping !== undefined };
}

async function copyInto(client: pg.Client, sql: string, target: Writable): Promise<number> {
  const rows = client.query(copyTo(sql));
  let failure: unknown;
  rows.on('error', (error) => (failure ??= error));
  try {
    await pipeline(rows, target);
    // The rows end before the command tag with the count; the next response comes after it.
    await client.query('');
  } catch (error) {
    // Otherwise the server would continue to send unused rows.
    if (failure === undefined || readDriverError(failure).severity === undefined) client.connection.stream.destroy();
    throw error;
  }
  if (failure !== undefined) throw failure;
  return rows.rowCount;
}

async function endClient(client: pg.Client): Promise<void> {
  // A graceful close would hang with a lost server, or one that still sends rows.
  const timer = setTimeout(() => client.connection.stream.destroy(), 1_000);
  try {
    await client.end();
  } catch {
    // The connection is closed either way.
  } finally {
    clearTimeout(timer);
  }
}
