/** Values of SQLite as they pass between the processes: integers beyond 2^53 are texts, blobs hexadecimal texts. */
export type SqliteCell = string | number | null;

/** A result column as SQLite describes it. */
export interface SqliteColumn {
  readonly name: string;
  /** The declared type of the table column that it is; null for an expression. */
  readonly type: string | null;
  readonly table: string | null;
  readonly column: string | null;
}

/** The methods of the reader process. */
export interface ReaderMethods {
  /** Opens the file read only. */
  readonly open: { readonly params: { readonly path: string; readonly busyMs: number }; readonly result: null };
  /** Begins the transaction in which everything else is read. */
  readonly snapshot: { readonly params: object; readonly result: null };
  /** Prepares a statement without running it. */
  readonly columns: { readonly params: { readonly sql: string }; readonly result: readonly SqliteColumn[] };
  /** The first rows of a result, by number and size. */
  readonly rows: {
    readonly params: { readonly sql: string; readonly limit: number };
    readonly result: SqliteRows;
  };
  /**
   * Runs a statement that passes each of its rows, as a JSON array, to `writeRowFunction`. They are written to files of
   * some megabytes, as lines of CSV with the brackets; `segment` messages name them.
   */
  readonly stream: { readonly params: StreamParams; readonly result: StreamResult };
  /** A file was read and is deleted. */
  readonly taken: { readonly params: object; readonly result: null };
}

export interface StreamParams {
  readonly sql: string;
  /** The n-th file is called `<prefix><n>.csv`. */
  readonly prefix: string;
  /** A statement that passes the place and the bytes of each text to `checkTextFunction`. */
  readonly textsSql: string;
}

export interface StreamResult {
  readonly rows: number;
  /** The first text whose bytes are not UTF-8: the place of its column, and the text with replaced bytes. */
  readonly invalidText?: { readonly column: number; readonly text: string } | undefined;
}

export interface SqliteRows {
  readonly rows: readonly (readonly SqliteCell[])[];
  readonly truncated: boolean;
  readonly sizeLimit?: number;
}

export type ReaderMethod = keyof ReaderMethods;

/** The SQL function that writes a row. Only statements of `stream` have it. */
export const writeRowFunction = 'entity_graph_write_row';

/** The SQL function that looks for texts that are not UTF-8. Only statements of `stream` have it. */
export const checkTextFunction = 'entity_graph_check_text';

export interface ReaderRequest {
  readonly id: number;
  readonly method: ReaderMethod;
  readonly params: ReaderMethods[ReaderMethod]['params'];
}

/** A request that the thread of SQLite answers. */
export interface ThreadRequest extends ReaderRequest {
  readonly method: Exclude<ReaderMethod, 'taken'>;
}

export type ReaderAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: SqliteFailure }
  | { readonly segment: WrittenSegment };

export interface WrittenSegment {
  readonly path: string;
  /** Rows in this file and those before it. */
  readonly rows: number;
  /** Length of the longest row so far in bytes. */
  readonly longestRow: number;
}

/** An error of SQLite or of the file system. */
export interface SqliteFailure {
  readonly message: string;
  /** Name of the primary result code of SQLite, such as `SQLITE_BUSY`, or a code of Node.js, such as `ENOSPC`. */
  readonly code: string;
}
