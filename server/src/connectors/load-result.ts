import type { ColumnSense } from '../catalog/catalog.ts';

export interface LoadResult {
  /** Row counts of the source and of the staging table. */
  readonly sourceRows: number;
  /** In result order. Staged columns are named `c1`, `c2`, … so that names that differ by case do not collide. */
  readonly columns: readonly StagedColumn[];
  readonly warnings: readonly string[];
  /** The rows come from the row cache. */
  readonly isUnchanged?: boolean;
  /** How many of the rows come from the row cache, where others were read. */
  readonly keptRows?: number;
  /** The ranges of rows that were not taken from the kept table; absent where that is not known. */
  readonly otherRows?: readonly RowsBetween[];
  /**
   * The staged columns by which such a row has replaced one of the kept table, if there is one of the same values; absent
   * where all rows have the places that they have there.
   */
  readonly otherKey?: readonly string[];
  /** What tells a later load of the same query which of these rows it need not read again; meant for the connector. */
  readonly marks?: string;
}

/** Rows of a table by their place, from 0. */
export interface RowsBetween {
  readonly from: number;
  /** The place behind the last one. */
  readonly until: number;
}

/** The rows that an earlier import kept for the same query, with its `marks`. */
export interface KeptTable {
  /** The SQL name of their table in the staging database. */
  readonly table: string;
  readonly columns: readonly StagedColumn[];
  readonly marks: string;
}

/** Whether kept rows have the columns that are staged now. */
export function hasColumns(kept: KeptTable, columns: readonly StagedColumn[]): boolean {
  return JSON.stringify(kept.columns) === JSON.stringify(columns);
}

export interface StagedColumn extends QueryColumn {
  /** `c1`, `c2`, … */
  readonly stagedAs: string;
  /**
   * DuckDB type of the staged column. Times without zone stay `TIMESTAMP`; zoned ones become UTC `TIMESTAMP` with
   * `zoned` set.
   */
  readonly stagedType: string;
  /** The zone of times without one, where it is not that of the build: in a graph of several data sources. */
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
  /** Rows that need not be read again, as far as the connector can tell that they are still those of the source. */
  readonly kept?: KeptTable | undefined;
}

export interface OperationOptions {
  /** Aborting also cancels on the server; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
}
