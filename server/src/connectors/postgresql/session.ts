import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { sendCancelRequest, type BackendKey } from './cancel-request.ts';
import { openClient, type OpenClient } from './connection.ts';
import type { PostgresqlConfig } from './config.ts';
import type { ExecutedSql } from './error-position.ts';
import type { ExplainError } from './errors.ts';
import { readForeignError } from './foreign-error.ts';
import { sessionSetup } from './session-setup.ts';

/** One connection to the server, set up as `sessionSetup` says. Its errors are `SourceError`s. */
export interface Session {
  /** Runs statements of our own, several in one text. Resolves to the rows that a single one has made or found. */
  run(sql: string, signal: AbortSignal | undefined): Promise<number | undefined>;
  /** Runs one query of our own; values as the driver reads them. */
  rows<Row extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<Row[]>;
  /** Runs one statement that contains text of the user: a second statement in it is refused. Values are PostgreSQL's own texts. */
  texts(executed: ExecutedSql, signal: AbortSignal | undefined): Promise<TextResult>;
  /** As `texts`, row by row: once `onRow` answers false the server is told to stop, and what still comes is dropped. */
  eachText(executed: ExecutedSql, onRow: OnText, signal: AbortSignal | undefined): Promise<ReadTexts>;
  /** Runs a `COPY … TO STDOUT` into `target`; resolves, when that has finished, with the number of rows that the server says it sent. */
  copy(executed: ExecutedSql, target: Writable, signal: AbortSignal | undefined): Promise<number>;
  /** Ends the connection, and with it an open transaction; idempotent, never rejects. */
  close(): Promise<void>;
}

/** Whether the next row is wanted as well. */
export type OnText = (row: readonly (string | null)[]) => boolean;

export interface ReadTexts {
  readonly fields: readonly pg.FieldDef[];
  /** Whether it was stopped, which aborts an open transaction. */
  readonly isStopped: boolean;
}

export interface TextResult {
  readonly fields: readonly pg.FieldDef[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export interface SessionOptions {
  readonly statementTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Connects and sets the session up. Rejects with a `SourceError`, or with the signal's reason. */
export async function openSession(
  config: PostgresqlConfig,
  explain: ExplainError,
  options: SessionOptions,
): Promise<Session> {
  const opened = await openClient(config, explain, options.signal);
  const session = sessionOf(opened, config, explain);
  try {
    await session.run(sessionSetup(config, options.statementTimeoutMs), options.signal);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

function sessionOf({ client, tls, lost }: OpenClient, config: PostgresqlConfig, explain: ExplainError): Session {
  const cancellable = async <T>(
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
    executed?: ExecutedSql,
  ): Promise<T> => {
    signal?.throwIfAborted();
    // The socket is the last resort: a server that does not take the cancel must not keep the caller waiting.
    const giveUp = { timer: undefined as NodeJS.Timeout | undefined };
    const cancel = (): void => {
      void sendCancelRequest(config.host, config.port, tls, client as unknown as BackendKey);
      giveUp.timer = setTimeout(() => client.connection.stream.destroy(), 5_000);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      // What broke the connection says more than the driver's refusal to use it afterwards.
      throw explain(lost() ?? error, executed && { executed });
    } finally {
      signal?.removeEventListener('abort', cancel);
      clearTimeout(giveUp.timer);
    }
  };

  let ended: Promise<void> | undefined;
  return {
    run: (sql, signal) => cancellable(signal, async () => rowCountOf(await client.query(sql))),
    rows: <Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[], signal: AbortSignal | undefined) =>
      cancellable(signal, async () => (await client.query<Row>(sql, [...values])).rows),
    texts: (executed, signal) =>
      cancellable(
        signal,
        async () => {
          const query = { text: executed.text, rowMode: 'array' as const, queryMode: 'extended', types: asTexts };
          const { fields, rows } = await client.query<(string | null)[]>(query);
          return { fields, rows };
        },
        executed,
      ),
    eachText: (executed, onRow, signal) =>
      cancellable(
        signal,
        () =>
          readTexts(client, executed.text, onRow, () =>
            sendCancelRequest(config.host, config.port, tls, client as unknown as BackendKey),
          ),
        executed,
      ),
    copy: (executed, target, signal) => cancellable(signal, () => copyInto(client, executed.text, target), executed),
    close: () => (ended ??= endClient(client)),
  };
}

/** Several statements in one text have a result each. */
function rowCountOf(result: pg.QueryResult | readonly pg.QueryResult[]): number | undefined {
  return 'rowCount' in result ? (result.rowCount ?? undefined) : undefined;
}

/** The driver's own parsing would lose microseconds and large integers. */
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
    // That it was stopped is no failure, nor is that it had ended before.
    query.on('error', (error) => (stopping ? resolve() : reject(error)));
  });
  client.query(query);
  await ended;
  // A request that is still on its way would cancel what is run next.
  await stopping;
  return { fields, isStopped: stopping !== undefined };
}

async function copyInto(client: pg.Client, sql: string, target: Writable): Promise<number> {
  const rows = client.query(copyTo(sql));
  let failure: unknown;
  rows.on('error', (error) => (failure ??= error));
  try {
    await pipeline(rows, target);
    // The rows end before the server's last words on them, its count among these: the answer to anything comes after.
    await client.query('');
  } catch (error) {
    // When the server did not end it, it would go on sending rows that nobody takes.
    if (failure === undefined || readForeignError(failure).severity === undefined) client.connection.stream.destroy();
    throw error;
  }
  if (failure !== undefined) throw failure;
  return rows.rowCount;
}

async function endClient(client: pg.Client): Promise<void> {
  // A server that is gone, or still sending rows nobody reads, would never say goodbye.
  const timer = setTimeout(() => client.connection.stream.destroy(), 1_000);
  try {
    await client.end();
  } catch {
    // It is closed either way.
  } finally {
    clearTimeout(timer);
  }
}
