/** The DuckDB database that an import is building, as connectors and steps see it. */
export interface StagingDatabase {
  /** Runs one statement. Rejects with the signal's reason when aborted, else with the engine's error. */
  run(sql: string, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  /** Runs a query and returns all its rows as JavaScript values, 64-bit integers as bigint. For small results. */
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Readonly<Record<string, DatabaseValue>>[]>;
  /** The tables that a statement names outside of common table expressions. */
  namedTables(sql: string): Promise<NamedTables>;
  /** Fraction of the running statement, 0 to 1, or undefined when unknown. */
  progress(): number | undefined;
  /** A private folder on the same disk for temporary files; removed with the build. */
  readonly temporaryFolder: string;
  /** Works with less memory meanwhile, where the database has limits of its own to go back to. */
  withMemory?<T>(limit: string, work: () => Promise<T>): Promise<T>;
}

export interface NamedTables {
  readonly names: readonly string[];
  /** One of them is named with its schema. */
  readonly isQualified: boolean;
}

export type DatabaseValue = string | number | bigint | boolean | null;
