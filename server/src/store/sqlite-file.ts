/** An SQLite database file. Rejects and throws with the SQLite or file system error. */
export interface SqliteFile {
  run(sql: string, values?: readonly SqliteValue[]): void;
  /** Rows as objects; blobs are bytes. */
  rows(sql: string, values?: readonly SqliteValue[]): Iterable<Readonly<Record<string, unknown>>>;
  close(): void;
}

export type SqliteValue = string | number | bigint | null;

/**
 * Opens a file for reading, or creates one without a journal, as an incomplete file is discarded. SQLite is WebAssembly
 * with file access, so that one package runs on every platform.
 */
export async function openSqliteFile(path: string, mode: 'read' | 'create'): Promise<SqliteFile> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const database = new sqlite.Database(path, mode === 'read' ? { fileMustExist: true, readOnly: true } : {});
  if (mode === 'create') {
    database.exec(
      'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -131072',
    );
  }
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

/** SQLite gives no reason for a failed write; for our own file it is a full disk. */
function diskError(error: unknown): Error | undefined {
  if (!(error instanceof Error) || !/disk I\/O error|disk is full/.test(error.message)) return undefined;
  return Object.assign(new Error(error.message, { cause: error }), { code: 'ENOSPC', syscall: 'write' });
}
