import { duckdb } from '../dialects/duckdb.ts';

/** What SQL written by users may touch on this machine. */
export interface SandboxPaths {
  /** Absolute paths of the files that may be read. */
  readonly files: readonly string[];
  /** Absolute paths of folders whose files may be read and written: for our own temporary files. */
  readonly folders: readonly string[];
}

interface Runnable {
  run(sql: string): Promise<unknown>;
}

/**
 * Shuts a database in: from now on it reads and writes only what `paths` names (and its own file), attaches and
 * installs nothing. This cannot be taken back while the database is open.
 */
export async function confineDatabase(database: Runnable, paths: SandboxPaths): Promise<void> {
  await database.run(`SET allowed_paths = ${listLiteral(paths.files)}`);
  await database.run(`SET allowed_directories = ${listLiteral(paths.folders)}`);
  await database.run('SET enable_external_access = false');
}

/** Confines the database and freezes its settings, for running a user's query as it is. */
export async function lockDatabase(database: Runnable, paths: SandboxPaths): Promise<void> {
  await confineDatabase(database, paths);
  await database.run('SET lock_configuration = true');
}

function listLiteral(paths: readonly string[]): string {
  return `[${paths.map(duckdb.literals.quote).join(', ')}]`;
}
