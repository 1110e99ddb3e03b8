import type { ColumnSense } from '../catalog/catalog.ts';

export interface LoadResult {
  /** Row counts of the source and of the staging table. */
  readonly sourceRows: number;
  /** In result order. Staged columns are named `c1`, `c2`, … so that names that differ by case do not collide. */
  readonly columns: readonly StagedColumn[];
  readonly warnings: readonly string[];
  /** The rows come from the row cache. */
  readonly isUnchanged?: boolean;
  /** The number of rows from the row cache, if other rows were read. */
  readonly cachedRows?: number;
  /** Opaque data of the connector: tells the next load of the same query which rows it can take from the row cache. */
  readonly marks?: string | undefined;
}

/** The cached rows of the same query, with the `marks` of the import that read them. */
export interface CachedRows {
  /** The SQL name of their table in the staging database. */
  readonly table: string;
  readonly columns: readonly StagedColumn[];
  readonly marks: string;
  /** A copy of all its rows in the staging database, to be taken or dropped (`cached-copy.ts`). */
  readonly copy?: string | undefined;
}

/** Whether cached rows have the columns that are staged now. */
export function hasColumns(cached: CachedRows, columns: readonly StagedColumn[]): boolean {
  return JSON.stringify(cached.columns) === JSON.stringify(columns);
}

export interface StagedColumn extends QueryColumn {
  /** `c1`, `c2`, … */
  readonly stagedAs: string;
  /**
   * DuckDB type of the staged column. Times without zone stay `TIMESTAMP`; zoned ones become UTC `TIMESTAMP` with
   * `zoned` set.
   */
  readonly stagedType: string;
  /** The time zone of times without zone, if it differs from that of the build (graphs of several data sources). */
  readonly timeZone?: string;
}

/** A result column as described by the source. */
export interface QueryColumn {
  readonly name: string;
  /** Type name of the engine. */
  readonly type: string;
  readonly sense: ColumnSense;
  /** For timestamps: whether they have a zone. */
  readonly zoned?: boolean | undefined;
}

export interface LoadOptions extends OperationOptions {
  readonly onRows?: ((rowsSoFar: number) => void) | undefined;
  /** Row limit of `--sample`. */
  readonly sample?: number | undefined;
  /** Cached rows, for a connector that can determine which of them are unchanged in the source. */
  readonly cached?: CachedRows | undefined;
}

export interface OperationOptions {
  /** Aborting also cancels on the server; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
}
