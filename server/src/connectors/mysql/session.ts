import { cancellable } from '../database-server/cancellable.ts';
import type { Connection, FieldPacket, Query, RowDataPacket } from 'mysql2';
import { type OpenClient, cutConnection, openClient, socketOf } from './connection.ts';
import type { MysqlConfig } from './read-settings.ts';
import type { ExecutedSql } from './error-position.ts';
import type { ExplainError } from './errors.ts';
import { type Server, serverOf } from './server.ts';
import { sessionSetup } from './session-setup.ts';
import { SourceError } from '../source-error.ts';

/** A connection with the setup of `sessionSetup`. Its errors are `SourceError`s. */
export interface Session {
  readonly server: Server;
  /** Runs one trusted statement. */
  run(sql: string, signal: AbortSignal | undefined): Promise<void>;
  /** Runs one trusted query. */
  rows<Row>(sql: string, values: readonly unknown[], signal: AbortSignal | undefined): Promise<readonly Row[]>;
  /** The result columns of a statement, found by preparing it without running it. */
  columnsOf(executed: ExecutedSql, signal: AbortSignal | undefined): Promise<readonly FieldPacket[]>;
  /** Runs a statement, row by row. */
  eachRow(executed: ExecutedSql, reader: RowReader, signal: AbortSignal | undefined): Promise<ReadRows>;
  /** Runs a statement; each row is a packet of the text protocol, which is valid only during the call. */
  eachPacket(executed: ExecutedSql, onPacket: OnRow<RowPacket>, signal: AbortSignal | undefined): Promise<ReadRows>;
  /** Closes the connection with an open transaction; idempotent, never rejects. */
  close(): Promise<void>;
}

/** A value as the driver reads it: bytes for binary types and BIT. */
export type DriverValue = string | number | Buffer | null;

/** False: the statement is cancelled and remaining rows are dropped. A promise: no row is read until it is resolved. */
type OnRow<Row> = (row: Row) => boolean | Promise<void>;

interface RowReader {
  readonly onRow: OnRow<readonly DriverValue[]>;
}

interface ReadRows {
  /** Whether it was stopped by `onRow`. */
  readonly isStopped: boolean;
}

interface SessionOptions {
  readonly statementTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Connects and sets up the session. Rejects with a `SourceError`, or with the signal's reason. */
export async function openSession(
  config: MysqlConfig,
  explain: ExplainError,
  { statementTimeoutMs, signal }: SessionOptions,
): Promise<Session> {
  const opened = await openClient(config, explain, signal);
  const session = sessionOf(opened, config, explain);
  try {
    const [row] = await session.rows<{ version: string }>('SELECT VERSION() AS version', [], signal);
    const server = serverOf(row?.version ?? '');
    for (const sql of sessionSetup(server, statementTimeoutMs)) await session.run(sql, signal);
    return { ...session, server };
  } catch (error) {
    await session.close();
    throw error;
  }
}

function sessionOf({ client, lost }: OpenClient, config: MysqlConfig, explain: ExplainError): Omit<Session, 'server'> {
  const kill = async (): Promise<void> => {
    // Without the pause, rows that are no longer needed would delay the KILL QUERY.
    client.pause();
    await killQuery(config, explain, client.threadId);
    client.resume();
  };
  const run = <T>(signal: AbortSignal | undefined, work: () => Promise<T>, executed?: ExecutedSql): Promise<T> =>
    cancellable(signal, work, {
      cancel: kill,
      cut: () => void cutConnection(client),
      // The original connection error explains more than the driver's later ones.
      explain: (error) => explain(lost() ?? error, executed && { executed }),
    });

  let ended: Promise<void> | undefined;
  return {
    run: (sql, signal) => run(signal, async () => void (await queried(client, sql, []))),
    rows: <Row>(sql: string, values: readonly unknown[], signal: AbortSignal | undefined) =>
      run(signal, async () => (await queried(client, sql, values)) as readonly Row[]),
    columnsOf: (executed, signal) => run(signal, () => preparedColumns(client, executed), executed),
    eachRow: (executed, reader, signal) =>
      run(signal, () => readRows({ client, sql: executed.text, kill }, onRowValues, reader.onRow), executed),
    eachPacket: (executed, onPacket, signal) =>
      run(signal, () => readRows({ client, sql: executed.text, kill }, onRowPackets, onPacket), executed),
    close: () => (ended ??= endClient(client)),
  };
}

function queried(client: Connection, sql: string, values: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    client.query<RowDataPacket[]>(sql, [...values], (error, rows) => (error ? reject(error) : resolve(rows)));
  });
}

/** Preparing proves that a text is one statement, and resolves its names. */
async function preparedColumns(client: Connection, { text, core }: ExecutedSql): Promise<readonly FieldPacket[]> {
  const { columns, parameters } = await new Promise<Prepared>((resolve, reject) => {
    client.prepare(text, (error, statement) => (error ? reject(error) : resolve(statement as unknown as Prepared)));
  });
  client.unprepare(text);
  if (parameters.length === 0) return columns;
  const position = core.indexOf('?');
  throw new SourceError('sql-error', 'The SQL has a question mark, which stands for a value that nobody gives.', {
    remedy: 'Write the value, or a text in single quotes.',
    ...(position >= 0 && { position }),
  });
}

interface Prepared {
  readonly columns: readonly FieldPacket[];
  readonly parameters: readonly unknown[];
}

interface RunningQuery {
  readonly client: Connection;
  readonly sql: string;
  readonly kill: () => Promise<void>;
}

function onRowValues(query: Query, onRow: (row: readonly DriverValue[]) => void): void {
  query.on('result', (row) => onRow(row as unknown as readonly DriverValue[]));
}

async function readRows<Row>(
  { client, sql, kill }: RunningQuery,
  listen: (query: Query, onRow: (row: Row) => void) => void,
  onRow: OnRow<Row>,
): Promise<ReadRows> {
  let stopping: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let onLost = (): void => undefined;
  const stop = async (): Promise<void> => {
    await kill();
    // While it joins tables, a server checks rarely for KILL QUERY; it ends when the socket is closed.
    timer = setTimeout(() => cutConnection(client), 1_000);
  };
  await new Promise<void>((resolve, reject) => {
    let failure: unknown;
    const fail = (error: unknown): void => {
      failure ??= error;
      stopping ??= stop();
    };
    const query = client.query({ sql, rowsAsArray: true });
    // The driver reports a lost connection only to callbacks.
    onLost = (): void => (stopping && failure === undefined ? resolve() : reject(failure ?? lostConnection()));
    socketOf(client).once('close', onLost);
    listen(query, (row) => {
      if (stopping) return;
      try {
        const wish = onRow(row);
        if (wish === false) stopping = stop();
        else if (wish !== true) {
          client.pause();
          wish.then(() => client.resume(), fail);
        }
      } catch (error) {
        fail(error);
      }
    });
    // Ignores errors after the query was stopped or has ended.
    query.on('error', (error) => {
      if (failure !== undefined || !stopping) reject(failure ?? error);
      else resolve();
    });
    query.on('end', () => (failure === undefined ? resolve() : reject(failure)));
  }).finally(() => {
    clearTimeout(timer);
    socketOf(client).off('close', onLost);
  });
  // A late request would end the next statement.
  await stopping;
  clearTimeout(timer);
  return { isStopped: stopping !== undefined };
}

function lostConnection(): Error {
  return Object.assign(new Error('The server closed the connection.'), { code: 'PROTOCOL_CONNECTION_LOST' });
}

/** Ends the statement of a connection from a second one. Best effort: never rejects. */
async function killQuery(config: MysqlConfig, explain: ExplainError, threadId: number | null): Promise<void> {
  try {
    const { client } = await openClient(config, explain, AbortSignal.timeout(5_000));
    try {
      await queried(client, `KILL QUERY ${Number(threadId)}`, []);
    } finally {
      await endClient(client);
    }
  } catch {
    // The statement has ended, or the server is not there: the connection is closed either way.
  }
}

async function endClient(client: Connection): Promise<void> {
  // A graceful close would hang with a lost server, or one that still sends rows.
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 1_000);
    client.end(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  cutConnection(client);
}

/** A packet of the driver; valid only while it is passed on. */
interface RowPacket {
  readonly buffer: Buffer;
  /** Where the row starts and ends. */
  readonly offset: number;
  readonly end: number;
  isEOF(): boolean;
}

/**
 * Passes on the packets of rows instead of `result` events, for which the driver would make a JavaScript value of every
 * cell. The driver calls `row` of the command for each packet after the column definitions, and then what it returned.
 */
function onRowPackets(query: Query, onPacket: (packet: RowPacket) => void): void {
  const command = query as unknown as Command;
  const endRows = command.row;
  const row: RowHandler = (packet, connection) => {
    if (packet.isEOF()) return endRows.call(command, packet, connection);
    onPacket(packet);
    return row;
  };
  command.row = row;
}

type RowHandler = (packet: RowPacket, connection: unknown) => unknown;

interface Command {
  row: RowHandler;
}
