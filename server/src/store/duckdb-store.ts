import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDbDatabase, type DuckDbSession, openDatabase, openSession } from './duckdb-session.ts';
import { retryWithMoreMemory } from './retry-with-more-memory.ts';
import { confineDatabase } from './sandbox.ts';
import type { StagingDatabase } from './staging-database.ts';

export type { DuckDbSession, ResultTable, StatementOptions } from './duckdb-session.ts';
export {
  DuckDbError,
  isDiskFull,
  isDuckDbError,
  isOutOfMemory,
  type DuckDbFailure,
  type DuckDbFailureKind,
} from './duckdb-errors.ts';

/** The database file of a running import, opened exclusively. */
export interface BuildDatabase extends DuckDbSession {
  /** A private temporary folder on the same disk. */
  readonly temporaryFolder: StagingDatabase['temporaryFolder'];
  withMemory?: NonNullable<StagingDatabase['withMemory']>;
  /** Replaces the sandbox function, for an engine that serves several builds. */
  confine?: NonNullable<StagingDatabase['confine']>;
}

export interface BuildDatabaseOptions {
  /** The new file; must not exist. */
  readonly path: string;
  /** Existing folder for spill files and temporary files of connectors. */
  readonly temporaryFolder: string;
  /**
   * Memory limits in DuckDB notation, such as `2GB`: the initial one, and those for statements that run out of memory.
   * Default: that of DuckDB (80 % of memory).
   */
  readonly memoryLimits?: readonly [string, ...string[]] | undefined;
  readonly threads?: number | undefined;
}

/** Creates the database file of an import. Rejects with `DuckDbError`. */
export async function createBuildDatabase(options: BuildDatabaseOptions): Promise<BuildDatabase> {
  return buildSession(await openSession(options.path, buildOptions(options)), options);
}

/** One engine for several small builds. Each has its own connection, without progress reports. */
export interface BuildEngine {
  /** Rejects with `DuckDbError`. */
  connect(): Promise<BuildDatabase>;
  /** Call it after all connections are closed. */
  close(): void;
}

/**
 * Opens an engine that may touch nothing but its temporary folder and `folders` of files that it reads. Rejects with
 * `DuckDbError`.
 */
export async function openBuildEngine({
  folders = [],
  ...options
}: BuildResources & { readonly folders?: readonly string[] | undefined }): Promise<BuildEngine> {
  const database = await openDatabase(':memory:', buildOptions(options));
  try {
    const session = await database.connect();
    await confineDatabase(session, { files: [], folders: [options.temporaryFolder, ...folders] });
    await session.close();
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    // A sandbox cannot be narrowed again.
    connect: async () => ({
      ...buildSession(await database.connectWithoutProgress(), options),
      confine: () => undefined,
    }),
    close: () => database.close(),
  };
}

type BuildResources = Omit<BuildDatabaseOptions, 'path'>;

function buildOptions({ temporaryFolder, memoryLimits, threads }: BuildResources): Readonly<Record<string, string>> {
  return {
    temp_directory: temporaryFolder,
    ...resourceOptions({
      memoryLimit: memoryLimits?.[0],
      threads,
    }),
  };
}

function buildSession(session: DuckDbSession, { temporaryFolder, memoryLimits }: BuildResources): BuildDatabase {
  return { ...(memoryLimits ? retryWithMoreMemory(session, memoryLimits) : session), temporaryFolder };
}

/** A finished graph, read-only; several processes can open it. */
export type StoreReader = DuckDbSession;

/** Opens a finished graph read-only. Rejects with `DuckDbError`, kind `file-missing`, `not-a-database` or `file-locked`. */
export async function openStore(path: string, options: ScratchOptions = {}): Promise<StoreReader> {
  return openSession(path, readOnly(options));
}

/** Opens a finished graph like `openStore`, for several connections. */
export async function openStoreDatabase(path: string, options: ScratchOptions = {}): Promise<DuckDbDatabase> {
  return openDatabase(path, readOnly(options));
}

function readOnly(options: ScratchOptions): Readonly<Record<string, string>> {
  return { access_mode: 'READ_ONLY', ...spillOptions(options), ...resourceOptions(options) };
}

/** Opens a graph that is not published yet, to add to it. Rejects with `DuckDbError`. */
export async function openUnpublishedStore(path: string, options: ScratchOptions = {}): Promise<DuckDbSession> {
  return openSession(path, { ...spillOptions(options), ...resourceOptions(options) });
}

export interface ScratchOptions {
  /** Folder for spill files; default: a temporary folder that DuckDB deletes. */
  readonly temporaryFolder?: string | undefined;
  readonly memoryLimit?: string | undefined;
  readonly threads?: number | undefined;
}

/** An in-memory database for previews and format detection. */
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
