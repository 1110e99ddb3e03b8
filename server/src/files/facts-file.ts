import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { UserCacheFile } from './user-cache-file.ts';
import { userCacheFolder } from './user-cache-folder.ts';

/** The file of this program; undefined for sources that are run without a build. */
export const thisProgram = typeof __filename === 'undefined' ? undefined : __filename;

/** Facts that a program found out, kept for its next run. */
interface ProgramFacts {
  /** The folder for all facts of this kind. */
  readonly kind: string;
  /** What the facts are about, such as a folder. */
  readonly about: readonly string[];
  /** The program's file: another version of it may find other facts. */
  readonly program: string | undefined;
  /** Settings that the facts depend on. */
  readonly settings?: string | undefined;
}

/** A file of facts in the user's cache folder. Undefined without such a folder, or when the program is no file. */
export function factsFile(
  { kind, about, program, settings = '' }: ProgramFacts,
  environment: Readonly<Record<string, string | undefined>>,
): UserCacheFile | undefined {
  const caches = userCacheFolder(environment);
  const stats = program === undefined ? undefined : statSync(program, { throwIfNoEntry: false });
  if (caches === undefined || !stats) return undefined;
  const name = createHash('sha256')
    .update(JSON.stringify([...about, program]))
    .digest('hex')
    .slice(0, 16);
  return {
    folder: join(caches, 'entity-graph', kind),
    name: `${name}.facts`,
    source: `${stats.size} ${stats.mtimeMs}${settings}`,
  };
}
