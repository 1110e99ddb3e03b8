import type { DuckDBConnection, DuckDBResult, DuckDBResultReader } from '@duckdb/node-api';
import { type CappedRows, createRowCap } from './capped-rows.ts';
import type * as engineModule from './duckdb-engine.ts';
import { DuckDbError, readDuckDbError } from './duckdb-errors.ts';
import type { DatabaseValue, NamedTables } from './staging-database.ts';

export interface StatementOptions {
  /** Aborting interrupts the running statement; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Fails when memory runs out, even if the session could raise its limit. */
  readonly isWithinMemory?: boolean | undefined;
}

/** A result as a table: columns in order, with repeated names allowed; cells as JSON values. */
export interface ResultTable {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

/**
 * A DuckDB connection. Statements run one after another, and each call accepts exactly one statement, so that SQL
 * written by users cannot end ours and start another. Rejects with `DuckDbError`.
 */
export interface DuckDbSession {
  /** Resolves to the number of changed rows; undefined if there is none. */
  run(sql: string, options?: StatementOptions): Promise<number | undefined>;
  /**
   * Runs several statements in one call, which takes a fraction of the time of a call for each. Only for statements without
   * SQL of users, which could end one and start another.
   */
  runAll(statements: readonly string[], options?: StatementOptions): Promise<void>;
  /** All rows as objects; for small results. */
  query(sql: string, options?: StatementOptions): Promise<readonly Readonly<Record<string, DatabaseValue>>[]>;
  table(sql: string, options?: StatementOptions): Promise<ResultTable>;
  /** The first rows of a result, streamed: only these rows are held, and the rest is not read. */
  firstRows(sql: string, limit: number, options?: StatementOptions): Promise<ResultTable & CappedRows>;
  /** Runs several statements of a user one after another, and resolves to the first rows of the last one. */
  firstRowsOfScript(sql: string, limit: number, options?: StatementOptions): Promise<ResultTable & CappedRows>;
  /** Rows in batches of some thousand, on demand. Other calls wait until the iteration has ended. */
  stream(sql: string, options?: StatementOptions): AsyncIterable<readonly Readonly<Record<string, DatabaseValue>>[]>;
  /** Result columns of a statement without running it. */
  describe(sql: string): Promise<ResultTable['columns']>;
  /** The tables named in a statement, except common table expressions. */
  namedTables(sql: string): Promise<NamedTables>;
  /** Fraction of the running statement, 0 to 1, or undefined when unknown. */
  progress(): number | undefined;
  interrupt(): void;
  /** Interrupts the running statement and closes; idempotent. */
  close(): Promise<void>;
}

/** Options of every DuckDB here: no downloads, errors with positions, UTC times. */
const commonOptions = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  errors_as_json: 'true',
};

const sessionSettings = [
  'SET enable_progress_bar_print = false',
  'SET enable_progress_bar = true',
  'SET progress_bar_time = 0',
  "SET TimeZone = 'UTC'",
].join(';');

/** Global settings, for connections of many small statements without settings of their own. */
const sharedSettings = "SET GLOBAL TimeZone = 'UTC'";

/** Opens a database file, or `:memory:`, with DuckDB options. Rejects with `DuckDbError`. */
export async function openSession(path: string, options: Readonly<Record<string, string>>): Promise<DuckDbSession> {
  const database = await openDatabase(path, options);
  try {
    return await database.connect(() => database.close());
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A database with several connections, each with temporary tables and settings of its own. */
export interface DuckDbDatabase {
  /** Rejects with `DuckDbError`. */
  connect(onClosed?: () => void): Promise<DuckDbSession>;
  /** For small statements only: its `progress()` is undefined. Takes a fraction of the time of `connect`. Rejects with `DuckDbError`. */
  connectWithoutProgress(): Promise<DuckDbSession>;
  /** Call it after all connections are closed. */
  close(): void;
}

/** Opens a database like `openSession`, without a connection. Rejects with `DuckDbError`. */
export async function openDatabase(path: string, options: Readonly<Record<string, string>>): Promise<DuckDbDatabase> {
  const inWords = (error: unknown): never => {
    throw new DuckDbError(readDuckDbError(error), error);
  };
  const open = async (): Promise<DuckDbDatabase> => {
    const engine = await loadEngine();
    engine.keepByteOrderMarks();
    const instance = await engine.DuckDBInstance.create(path, { ...commonOptions, ...options });
    const connect = async (onClosed: () => void, settings: string | undefined): Promise<DuckDbSession> => {
      const connection = await instance.connect();
      try {
        if (settings !== undefined) await connection.run(settings);
      } catch (error) {
        connection.closeSync();
        throw error;
      }
      return sessionOn(engine, connection, onClosed);
    };
    let isShared = false;
    return {
      connect: (onClosed = () => undefined) => connect(onClosed, sessionSettings).catch(inWords),
      async connectWithoutProgress() {
        const session = await connect(() => undefined, isShared ? undefined : sharedSettings).catch(inWords);
        isShared = true;
        return session;
      },
      close: () => instance.closeSync(),
    };
  };
  return open().catch(inWords);
}

type Engine = typeof engineModule;

/** Loaded on first use: DuckDB takes longer to load than the rest of a program, which may not need it. */
function loadEngine(): Promise<Engine> {
  return import('./duckdb-engine.ts');
}

function sessionOn(engine: Engine, connection: DuckDBConnection, onClosed: () => void): DuckDbSession {
  const { toDatabaseValue } = engine;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** Queues after earlier statements; an abort interrupts this statement only. */
  function inTurn<T>(sql: string, options: StatementOptions | undefined, work: () => Promise<T>): Promise<T> {
    const turn = last.then(async () => {
      if (closed) throw new DuckDbError({ kind: 'other', message: 'The database is closed.', candidates: [] });
      const stop = interruptOnAbort(connection, options?.signal);
      try {
        return await work();
      } catch (error) {
        if (options?.signal?.aborted) throw options.signal.reason;
        throw error instanceof DuckDbError ? error : new DuckDbError(readDuckDbError(error, sql), error);
      } finally {
        stop();
      }
    });
    last = turn.catch(() => undefined);
    return turn;
  }

  /** A prepared statement would be planned twice: DuckDB plans it again when it runs. */
  async function read(sql: string): Promise<DuckDBResultReader> {
    await extractOne(connection, sql);
    return connection.runAndReadAll(sql);
  }

  return {
    run: (sql, options) => inTurn(sql, options, async () => rowsMade(engine, await read(sql))),
    async runAll(statements, options) {
      if (statements.length === 0) return;
      const sql = statements.join(';\n');
      return inTurn(sql, options, async () => void (await connection.run(sql)));
    },
    query: (sql, options) =>
      inTurn(sql, options, async () => (await read(sql)).convertRowObjects<DatabaseValue>(toDatabaseValue)),
    table: (sql, options) => inTurn(sql, options, async () => resultTable(engine, await read(sql))),
    firstRows: (sql, limit, options) =>
      inTurn(sql, options, async () => {
        return rowsOfStatement(engine, await (await extractOne(connection, sql)).prepare(0), limit);
      }),
    firstRowsOfScript: (sql, limit, options) =>
      inTurn(sql, options, async () => {
        const last = await runAllButLast(connection, sql, options?.signal);
        return rowsOfStatement(engine, last, limit);
      }),
    async *stream(sql, options) {
      let finished: () => void = () => undefined;
      const whole = new Promise<void>((resolve) => (finished = resolve));
      const started = inTurn(sql, options, () => connection.stream(sql));
      last = last.then(() => whole);
      try {
        for await (const rows of (await started).yieldConvertedRowObjects<DatabaseValue>(toDatabaseValue)) {
          options?.signal?.throwIfAborted();
          yield rows;
        }
      } finally {
        finished();
      }
    },
    describe: (sql) => inTurn(sql, undefined, () => columnsOfStatement(connection, sql)),
    namedTables: (sql) => inTurn(sql, undefined, async () => tablesNamedIn(connection, sql)),
    progress() {
      if (closed) return undefined;
      const percentage = connection.progress.percentage;
      return percentage < 0 ? undefined : Math.min(percentage / 100, 1);
    },
    interrupt: () => void (closed || connection.interrupt()),
    async close() {
      if (closed) return;
      closed = true;
      const stop = interruptAgain(connection);
      await last;
      stop();
      connection.closeSync();
      onClosed();
    },
  };
}

type Statement = Awaited<ReturnType<Awaited<ReturnType<DuckDBConnection['extractStatements']>>['prepare']>>;

/** The first rows of a statement, which ends with them. */
async function rowsOfStatement(engine: Engine, statement: Statement, limit: number) {
  try {
    return await firstRowsOf(engine, await statement.stream(), limit);
  } finally {
    statement.destroySync();
  }
}

/** Each statement is prepared after the ones before have run: it may read the temporary tables that they create. */
async function runAllButLast(connection: DuckDBConnection, sql: string, signal: AbortSignal | undefined) {
  const statements = await extractStatements(connection, sql);
  for (let index = 0; index < statements.count - 1; index += 1) {
    signal?.throwIfAborted();
    const statement = await statements.prepare(index);
    try {
      await statement.run();
    } finally {
      statement.destroySync();
    }
  }
  return statements.prepare(statements.count - 1);
}

async function columnsOfStatement(connection: DuckDBConnection, sql: string) {
  const statement = await (await extractOne(connection, sql)).prepare(0);
  const columns = Array.from({ length: statement.columnCount }, (_, index) => ({
    name: statement.columnName(index),
    type: typeName(statement.columnType(index)),
  }));
  statement.destroySync();
  return columns;
}

function tablesNamedIn(connection: DuckDBConnection, sql: string) {
  const qualified = connection.getTableNames(sql, true);
  const isQualified = qualified.some((name) => name.replaceAll(/"[^"]*"/g, '').includes('.'));
  return { names: connection.getTableNames(sql, false), isQualified };
}

async function extractOne(
  connection: DuckDBConnection,
  sql: string,
): ReturnType<DuckDBConnection['extractStatements']> {
  const statements = await extractStatements(connection, sql);
  if (statements.count !== 1) throw statementCount(statements.count);
  return statements;
}

/** At least one statement. */
function extractStatements(
  connection: DuckDBConnection,
  sql: string,
): ReturnType<DuckDBConnection['extractStatements']> {
  return connection.extractStatements(sql).catch((error: unknown) => {
    // What the library says of a text without a statement.
    if (error instanceof Error && error.message === 'Error in native callback') throw statementCount(0);
    throw error;
  });
}

function statementCount(count: number): DuckDbError {
  return new DuckDbError({
    kind: 'syntax',
    message: `Expected one SQL statement, found ${count}.`,
    candidates: [],
  });
}

/** Reads by chunk, then by row: a chunk of long values may exceed the limit many times. */
async function firstRowsOf(
  { toCellValue, toDatabaseValue }: Engine,
  result: DuckDBResult,
  limit: number,
): Promise<ResultTable & CappedRows> {
  const cap = createRowCap<string | number | boolean | null>(limit);
  const width = Array.from({ length: result.columnCount }, (_, index) => index);
  for (let goesOn = true; goesOn;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    const vectors = width.map((column) => chunk.getColumnVector(column));
    for (let row = 0; goesOn && row < chunk.rowCount; row += 1) {
      goesOn = cap.add(vectors.map((vector) => toCellValue(toDatabaseValue(vector.getItem(row)))));
    }
  }
  return { columns: columnsOf(result), ...cap.result() };
}

function columnsOf(result: Pick<DuckDBResult, 'columnNames' | 'columnTypes'>): ResultTable['columns'] {
  const types = result.columnTypes().map(typeName);
  return result.columnNames().map((name, index) => ({ name, type: types[index] ?? '' }));
}

function resultTable({ toCellValue, toDatabaseValue }: Engine, reader: DuckDBResultReader): ResultTable {
  return {
    columns: columnsOf(reader),
    rows: reader
      .convertRows((value) => toCellValue(toDatabaseValue(value)))
      .map((row) => row.map((cell) => cell ?? null)),
  };
}

/** The single cell of the result of `CREATE TABLE … AS`, `INSERT` and similar. */
function rowsMade({ ResultReturnType }: Engine, reader: DuckDBResultReader): number | undefined {
  if (reader.returnType === ResultReturnType.QUERY_RESULT) return undefined;
  const made = reader.getRows()[0]?.[0];
  return typeof made === 'bigint' ? Number(made) : undefined;
}

/** DuckDB's JSON type is text with an alias, which is its user-visible name. */
function typeName(type: { readonly alias?: string | undefined; toString(): string }): string {
  return type.alias ?? type.toString();
}

function interruptOnAbort(connection: DuckDBConnection, signal: AbortSignal | undefined): () => void {
  if (!signal) return () => undefined;
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const onAbort = (): void => void (stop = interruptAgain(connection));
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    signal.removeEventListener('abort', onAbort);
    stop();
  };
}

/** An interrupt before the statement's thread has started is lost, so it is repeated until stopped. */
function interruptAgain(connection: DuckDBConnection): () => void {
  connection.interrupt();
  const timer = setInterval(() => connection.interrupt(), 20);
  return () => clearInterval(timer);
}
