import { lstat, readlink, realpath } from 'node:fs/promises';
import ownRules, { type PlatformPath, basename, dirname, join, resolve } from 'node:path';
import { FileError } from './file-error.ts';

/** Maximum length of a chain of links, as in Linux. */
const maxLinks = 40;

/**
 * The path written to for a given `path`: follows links, even to a file that does not exist yet. Rejects with
 * `link-leads-out` when it is outside of the folder `within`, else with the file system error.
 */
export async function followLinks(path: string, within?: string): Promise<string> {
  const real = await realTarget(resolve(path), maxLinks);
  if (within === undefined || isInside(real, await realTarget(resolve(within), maxLinks))) return real;
  throw leadsOut(path, real, within);
}

/**
 * Resolves to a path in a folder, existing or not, when no link on the way leads out of the folder. Rejects with
 * `link-leads-out`, else with the file system error.
 */
export async function insideFolder(path: string, folder: string): Promise<string> {
  await followLinks(path, folder);
  return path;
}

function leadsOut(path: string, real: string, folder: string): FileError {
  return new FileError(
    'link-leads-out',
    `${path} is a link, or lies behind one, that leads out of ${folder}: to ${real}.`,
    {
      file: path,
      remedy: 'Replace the link by a file or folder.',
    },
  );
}

/** Whether a path is a folder or lies below it; both without links. @param rules those of another system, for tests */
export function isInside(
  path: string,
  folder: string,
  rules: Pick<PlatformPath, 'relative' | 'isAbsolute' | 'sep'> = ownRules,
): boolean {
  const way = rules.relative(folder, path);
  // There is no relative path between Windows drives.
  return !rules.isAbsolute(way) && way !== '..' && !way.startsWith(`..${rules.sep}`);
}

/** Resolves links; a missing file is resolved by its folder. */
async function realTarget(path: string, links = maxLinks): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  const there = await lstat(path).catch(() => undefined);
  if (there?.isSymbolicLink() && links > 0) {
    return realTarget(resolve(await realTarget(dirname(path), links - 1), await readlink(path)), links - 1);
  }
  const parent = dirname(path);
  return parent === path ? path : join(await realTarget(parent, links), basename(path));
}
