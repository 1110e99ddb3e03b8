import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession, type DuckDbSession } from './duckdb-session.ts';
import { withMemoryLadder } from './memory-ladder.ts';
import type { StagingDatabase } from './staging-database.ts';

export type { DuckDbSession, ResultTable, StatementOptions } from './duckdb-session.ts';
export { DuckDbError, isOutOfMemory, type DuckDbFailure, type DuckDbFailureKind } from './duckdb-errors.ts';

/** The database file of an import while it is being built: the only process that has it open. */
export interface BuildDatabase extends DuckDbSession {
  /** A private folder on the same disk for temporary files. */
  readonly temporaryFolder: StagingDatabase['temporaryFolder'];
  withMemory?: NonNullable<StagingDatabase['withMemory']>;
}

export interface BuildDatabaseOptions {
  /** The file to create; must not exist. */
  readonly path: string;
  /** Folder for DuckDB's spill files and for connectors' temporary files; must exist. */
  readonly temporaryFolder: string;
  /**
   * What it may keep in memory before it spills, as DuckDB writes it, such as `2GB`: the first, and what a statement may have that cannot be run
   * with the one before. DuckDB's own default (80 % of memory) when not given.
   */
  readonly memoryLimits?: readonly [string, ...string[]];
  readonly threads?: number;
}

/** Creates the database file of an import. Rejects with `DuckDbError`. */
export async function createBuildDatabase(options: BuildDatabaseOptions): Promise<BuildDatabase> {
  const { path, temporaryFolder, memoryLimits, threads } = options;
  const session = await openSession(path, {
    temp_directory: temporaryFolder,
    ...resourceOptions({
      ...(memoryLimits && { memoryLimit: memoryLimits[0] }),
      ...(threads !== undefined && { threads }),
    }),
  });
  return { ...(memoryLimits ? withMemoryLadder(session, memoryLimits) : session), temporaryFolder };
}

/** A finished graph, read-only; several processes may have it open at once. */
export type StoreReader = DuckDbSession;

/** Opens a finished graph read-only. Rejects with `DuckDbError`, kind `file-missing`, `not-a-database` or `file-locked`. */
export async function openStore(path: string, options: ScratchOptions = {}): Promise<StoreReader> {
  return openSession(path, { access_mode: 'READ_ONLY', ...spillOptions(options), ...resourceOptions(options) });
}

export interface ScratchOptions {
  /** Folder for spill files; one of the system's for temporary files when not given, which DuckDB removes when it is done. */
  readonly temporaryFolder?: string;
  readonly memoryLimit?: string;
  readonly threads?: number;
}

/** An in-memory database, for previews of files and for sniffing. */
export async function openScratch(options: ScratchOptions = {}): Promise<DuckDbSession> {
  return openSession(':memory:', { ...spillOptions(options), ...resourceOptions(options) });
}

function spillOptions({ temporaryFolder }: ScratchOptions): Readonly<Record<string, string>> {
  return { temp_directory: temporaryFolder ?? join(tmpdir(), `entity-graph-spill-${process.pid}`) };
}

function resourceOptions(options: ScratchOptions): Readonly<Record<string, string>> {
  return {
    ...(options.memoryLimit === undefined ? {} : { memory_limit: options.memoryLimit }),
    ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
  };
}
