import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBResult,
  type DuckDBResultReader,
  ResultReturnType,
} from '@duckdb/node-api';
import { type CappedRows, createRowCap } from './capped-rows.ts';
import { DuckDbError, readDuckDbError } from './duckdb-errors.ts';
import { toCellValue, toDatabaseValue } from './duckdb-values.ts';
import { keepByteOrderMarks } from './keep-byte-order-marks.ts';
import type { DatabaseValue, NamedTables } from './staging-database.ts';

export interface StatementOptions {
  /** Aborting interrupts the running statement; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A result as a table: columns in order, also when names repeat; cells as JSON can carry them. */
export interface ResultTable {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

/**
 * One connection to one DuckDB. Statements run one after the other, each call exactly one statement: text that holds
 * several is refused, so that SQL written by users cannot end ours and begin its own. Rejects with `DuckDbError`.
 */
export interface DuckDbSession {
  /** Resolves to the rows that the statement has made or changed; undefined where there is no such number. */
  run(sql: string, options?: StatementOptions): Promise<number | undefined>;
  /** All rows as objects; for small results. */
  query(sql: string, options?: StatementOptions): Promise<readonly Readonly<Record<string, DatabaseValue>>[]>;
  table(sql: string, options?: StatementOptions): Promise<ResultTable>;
  /** The first rows of a result, read as a stream: no more is held than is kept, and the others are not read. */
  firstRows(sql: string, limit: number, options?: StatementOptions): Promise<ResultTable & CappedRows>;
  /** Rows in batches of some thousand, read as they are asked for. Other calls wait until the iteration has ended. */
  stream(sql: string, options?: StatementOptions): AsyncIterable<readonly Readonly<Record<string, DatabaseValue>>[]>;
  /** Result columns of a statement that is not run. */
  describe(sql: string): Promise<ResultTable['columns']>;
  /** The tables that a statement names outside of common table expressions. */
  namedTables(sql: string): Promise<NamedTables>;
  /** Fraction of the running statement, 0 to 1, or undefined when unknown. */
  progress(): number | undefined;
  interrupt(): void;
  /** Interrupts what runs and closes; idempotent. */
  close(): Promise<void>;
}

/** Options that hold for every DuckDB here: nothing is downloaded, errors come with positions, times are UTC. */
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
];

/** Opens a database file, or `:memory:`, with these options of DuckDB. Rejects with `DuckDbError`. */
export async function openSession(path: string, options: Readonly<Record<string, string>>): Promise<DuckDbSession> {
  keepByteOrderMarks();
  let instance: DuckDBInstance | undefined;
  try {
    instance = await DuckDBInstance.create(path, { ...commonOptions, ...options });
    const connection = await instance.connect();
    for (const setting of sessionSettings) await connection.run(setting);
    return sessionOn(instance, connection);
  } catch (error) {
    instance?.closeSync();
    throw new DuckDbError(readDuckDbError(error), error);
  }
}

function sessionOn(instance: DuckDBInstance, connection: DuckDBConnection): DuckDbSession {
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** Waits for the statements before, then works; an abort interrupts this statement and no other. */
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

  async function read(sql: string): Promise<DuckDBResultReader> {
    const statement = await prepareOne(connection, sql);
    try {
      return await statement.runAndReadAll();
    } finally {
      statement.destroySync();
    }
  }

  return {
    run: (sql, options) => inTurn(sql, options, async () => rowsMade(await read(sql))),
    query: (sql, options) =>
      inTurn(sql, options, async () => (await read(sql)).convertRowObjects<DatabaseValue>(toDatabaseValue)),
    table: (sql, options) => inTurn(sql, options, async () => resultTable(await read(sql))),
    firstRows: (sql, limit, options) =>
      inTurn(sql, options, async () => {
        const statement = await prepareOne(connection, sql);
        try {
          return await firstRowsOf(await statement.stream(), limit);
        } finally {
          statement.destroySync();
        }
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
    describe: (sql) =>
      inTurn(sql, undefined, async () => {
        const statement = await prepareOne(connection, sql);
        const columns = Array.from({ length: statement.columnCount }, (_, index) => ({
          name: statement.columnName(index),
          type: typeName(statement.columnType(index)),
        }));
        statement.destroySync();
        return columns;
      }),
    namedTables: (sql) =>
      inTurn(sql, undefined, async () => {
        const qualified = connection.getTableNames(sql, true);
        const isQualified = qualified.some((name) => name.replaceAll(/"[^"]*"/g, '').includes('.'));
        return { names: connection.getTableNames(sql, false), isQualified };
      }),
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
      instance.closeSync();
    },
  };
}

async function prepareOne(connection: DuckDBConnection, sql: string) {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) {
    const message = `Expected one SQL statement, found ${statements.count}.`;
    throw new DuckDbError({ kind: 'syntax', message, candidates: [] });
  }
  return statements.prepare(0);
}

/** Chunk by chunk, and of these row by row: a chunk of long values may be many times what is kept of it. */
async function firstRowsOf(result: DuckDBResult, limit: number): Promise<ResultTable & CappedRows> {
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

function resultTable(reader: DuckDBResultReader): ResultTable {
  return {
    columns: columnsOf(reader),
    rows: reader
      .convertRows((value) => toCellValue(toDatabaseValue(value)))
      .map((row) => row.map((cell) => cell ?? null)),
  };
}

/** The one cell of the result of `CREATE TABLE … AS`, `INSERT` and the like. */
function rowsMade(reader: DuckDBResultReader): number | undefined {
  if (reader.returnType === ResultReturnType.QUERY_RESULT) return undefined;
  const made = reader.getRows()[0]?.[0];
  return typeof made === 'bigint' ? Number(made) : undefined;
}

/** JSON is text with an alias to DuckDB; users know it by the alias. */
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

/** An interrupt that arrives before the statement's thread has started is lost, so it is repeated until told to stop. */
function interruptAgain(connection: DuckDBConnection): () => void {
  connection.interrupt();
  const timer = setInterval(() => connection.interrupt(), 20);
  return () => clearInterval(timer);
}
