/** A job for the measured process: `pull` into DuckDB, or `scan` all rows with the same reader and drop them. */
export interface SqlitePullOrder {
  readonly work: 'pull' | 'scan';
  readonly path: string;
  /** DuckDB's memory limit in megabytes. */
  readonly memory: number;
}
