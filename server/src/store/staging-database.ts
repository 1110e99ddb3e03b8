import type { SandboxPaths } from './sandbox.ts';

/** The DuckDB database of a running import, as used by connectors and steps. */
export interface StagingDatabase {
  /** Runs one statement. Rejects with the signal's reason when aborted, else with the engine's error. */
  run(sql: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<unknown>;
  /** Runs several of our own statements in one call, where one after another takes longer. Rejects like `run`. */
  runAll?(statements: readonly string[]): Promise<void>;
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
  /** Adds paths to those that the database will be sandboxed to, where it is shared by several data sources; does nothing where the database is sandboxed already. */
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
