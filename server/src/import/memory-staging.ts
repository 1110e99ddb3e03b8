import { type BuildDatabase, type BuildEngine, openBuildEngine } from '../store/duckdb-store.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import { attachRowsSql, attachStoreSql, rowsDatabase, useRowsSql } from './build/staging-steps.ts';
import { importMemoryLimits } from './memory-limit.ts';

/** One engine for many small imports in memory, one after another. */
export interface MemoryStaging {
  /** An empty build database, whose tables are gone when it is closed. Rejects with `DuckDbError`. */
  open(): Promise<BuildDatabase>;
  readonly knownTimeZones: Set<string>;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates the engine once: starting it and listing all time zones take longer than importing a few rows.
 * @param temporaryFolder of this engine only, as names of files in it repeat
 * @param folders of files that it may read
 */
export function createMemoryStaging(temporaryFolder: string, folders: readonly string[] = []): MemoryStaging {
  let engine: Promise<BuildEngine> | undefined;

  // For few rows, several threads cost more than they save.
  const start = () => openBuildEngine({ temporaryFolder, folders, memoryLimits: importMemoryLimits(), threads: 1 });

  async function stop(): Promise<void> {
    const running = engine;
    engine = undefined;
    (await running?.catch(() => undefined))?.close();
  }

  async function open(): Promise<BuildDatabase> {
    engine ??= start();
    const database = await engine;
    const staging = await database.connect();
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      // After an internal error, an engine is unusable: the next import starts another.
      const isUsable = await emptied(staging);
      await staging.close();
      if (!isUsable) await stop();
    };
    try {
      await staging.runAll([attachRowsSql(':memory:'), useRowsSql, ...attachStoreSql(duckdbBuild, ':memory:')]);
      return { ...staging, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  return { open, knownTimeZones: new Set(['UTC']), close: stop };
}

async function emptied(staging: BuildDatabase): Promise<boolean> {
  try {
    const databases = [rowsDatabase, duckdbBuild.graph].map((name) => `DETACH DATABASE IF EXISTS ${name}`);
    await staging.runAll(['USE memory', ...databases]);
    return true;
  } catch {
    return false;
  }
}
