/** An SQLite database file. Rejects and throws with the SQLite or file system error. */
export interface SqliteFile {
  run(sql: string, values?: readonly SqliteValue[]): void;
  /** Rows as objects; blobs are bytes. */
  rows(sql: string, values?: readonly SqliteValue[]): Iterable<Readonly<Record<string, unknown>>>;
  close(): void;
}

export type SqliteValue = string | number | bigint | null;

const quickly =
  'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -131072';

/**
 * Opens a file for reading, or creates one without a journal, as an incomplete file is discarded. SQLite is WebAssembly
 * with file access, so that one package runs on every platform.
 */
export async function openSqliteFile(path: string, mode: 'read' | 'create'): Promise<SqliteFile> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const database = new sqlite.Database(path, mode === 'read' ? { fileMustExist: true, readOnly: true } : {});
  if (mode === 'create') database.exec(quickly);
  return {
    run(sql, values = []) {
      try {
        database.run(sql, [...values]);
      } catch (error) {
        throw diskError(error) ?? error;
      }
    },
    *rows(sql, values = []) {
      const statement = database.prepare(sql);
      try {
        yield* statement.iterate([...values]) as IterableIterator<Readonly<Record<string, unknown>>>;
      } finally {
        statement.finalize();
      }
    },
    close: () => database.close(),
  };
}

/** A new database file that is written with JSON texts. Throws the SQLite or file system error. */
export interface SqliteWriter {
  /** Runs statements, in which `given_rows()` is the text of the rows. */
  run(sql: string, rows?: string): void;
  close(): void;
}

/**
 * Creates a file like `openSqliteFile`, by machine code, which writes our own rows in half of the time. Without prepared
 * statements: the library leaves them to the garbage collector, and they keep the file open and locked.
 */
export async function createSqliteWriter(path: string): Promise<SqliteWriter> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  let given = '';
  database.function('given_rows', () => given);
  database.exec(quickly);
  return {
    run(sql, rows = '') {
      given = rows;
      try {
        database.exec(sql);
      } catch (error) {
        throw diskError(error) ?? error;
      }
    },
    close: () => database.close(),
  };
}

/** SQLite gives no reason for a failed write; for our own file it is a full disk. */
function diskError(error: unknown): Error | undefined {
  if (!(error instanceof Error) || !/disk I\/O error|disk is full/.test(error.message)) return undefined;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'ENOSPC', syscall: 'write' });
}
