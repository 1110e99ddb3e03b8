import { duckdb } from '../dialects/duckdb.ts';

/** Files that the SQL of users may access on this machine. */
export interface SandboxPaths {
  /** Absolute paths of readable files. */
  readonly files: readonly string[];
  /** Absolute paths of folders for temporary files. */
  readonly folders: readonly string[];
}

interface Runnable {
  run(sql: string): Promise<unknown>;
}

/**
 * Sandboxes a database: it reads and writes only `paths` and its own file, and attaches and installs nothing.
 * Irreversible while the database is open.
 */
export async function confineDatabase(database: Runnable, paths: SandboxPaths): Promise<void> {
  await database.run(`SET allowed_paths = ${listLiteral(paths.files)}`);
  await database.run(`SET allowed_directories = ${listLiteral(paths.folders)}`);
  await database.run('SET enable_external_access = false');
}

/** Sandboxes the database and locks its settings, before running a user's query. */
export async function lockDatabase(database: Runnable, paths: SandboxPaths): Promise<void> {
  await confineDatabase(database, paths);
  await database.run('SET lock_configuration = true');
}

function listLiteral(paths: readonly string[]): string {
  return `[${paths.map(duckdb.literals.quote).join(', ')}]`;
}
