import type { ColumnSense } from '../catalog/catalog.ts';

export interface LoadResult {
  /** What the source itself says it sent, compared with what arrived. */
  readonly sourceRows: number;
  /** In result order. Staged columns are named `c1`, `c2`, … so that names differing only by case cannot collide. */
  readonly columns: readonly StagedColumn[];
  readonly warnings: readonly string[];
  /** The rows are those of the import before and were not pulled. */
  readonly isUnchanged?: boolean;
}

export interface StagedColumn extends QueryColumn {
  /** `c1`, `c2`, … */
  readonly stagedAs: string;
  /** DuckDB type of the staged column. Naive timestamps stay `TIMESTAMP`; zoned ones arrive as UTC `TIMESTAMP`, `zoned` set. */
  readonly stagedType: string;
}

/** A result column of a query as its source describes it. */
export interface QueryColumn {
  readonly name: string;
  /** The engine's own type name. */
  readonly type: string;
  readonly sense: ColumnSense;
  /** For timestamps: whether the values carry a zone. */
  readonly zoned?: boolean;
}

export interface LoadOptions extends OperationOptions {
  readonly onRows?: (rowsSoFar: number) => void;
  /** Only the first rows, for `--sample`. */
  readonly sample?: number;
}

export interface OperationOptions {
  /** Aborting cancels on the server as well; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}
