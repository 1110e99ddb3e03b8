import type { SandboxPaths } from './sandbox.ts';

/** The DuckDB database of a running import, as used by connectors and steps. */
export interface StagingDatabase {
  /** Runs one statement. Rejects with the signal's reason when aborted, else with the engine's error. */
  run(sql: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<unknown>;
  /**
   * Runs several statements in one call, which takes a fraction of the time of a call for each. Only for statements
   * without SQL of users, which could end one and start another.
   */
  runAll(statements: readonly string[], options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /** Runs a query and returns all rows as JavaScript values, 64-bit integers as bigint. For small results. */
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, DatabaseValue>>[]>;
  /** The tables named in a statement, except common table expressions. */
  namedTables(sql: string): Promise<NamedTables>;
  /** Fraction of the running statement, 0 to 1, or undefined when unknown. */
  progress(): number | undefined;
  /** A private temporary folder on the same disk, deleted with the build. */
  readonly temporaryFolder: string;
  /** Allows further paths in the sandbox of a database that several data sources share. No effect once the database is sandboxed. */
  confine?(paths: SandboxPaths): void;
  /** Works with a lower memory limit, if the database has limits. */
  withMemory?<T>(limit: string, work: () => Promise<T>): Promise<T>;
}

export interface NamedTables {
  readonly names: readonly string[];
  /** The name qualified by its schema. */
  readonly isQualified: boolean;
}

export type DatabaseValue = string | number | bigint | boolean | null;
