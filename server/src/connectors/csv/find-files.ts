import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { globToRegExp, isGlob, splitGlob } from '../../files/glob.ts';

/**
 * The files named by paths and globs: absolute, distinct, sorted by path. A path without wildcards is returned even if
 * missing, and its reader reports the error. Unreadable folders count as empty.
 */
export async function findFiles(folder: string, patterns: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const slashed = pattern.replaceAll('\\', '/');
    if (!isGlob(slashed) || (await exists(resolve(folder, pattern)))) {
      found.add(resolve(folder, pattern));
      continue;
    }
    for (const path of await matches(folder, slashed)) found.add(path);
  }
  return [...found].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

async function matches(folder: string, pattern: string): Promise<readonly string[]> {
  const { root, rest } = splitGlob(folder, pattern);
  const depth = rest.includes('**') ? Infinity : rest.split('/').length;
  const expression = globToRegExp(rest);
  const paths: string[] = [];
  await walk(root, '', depth, (path) => {
    if (expression.test(path)) paths.push(join(root, path));
  });
  return paths;
}

async function walk(root: string, prefix: string, depth: number, visit: (path: string) => void): Promise<void> {
  const entries = await readdir(join(root, prefix), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(join(root, path))))) visit(path);
    // Linked folders are skipped, because they may form a cycle.
    else if (entry.isDirectory() && depth > 1 && entry.name !== 'node_modules')
      await walk(root, path, depth - 1, visit);
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Whether a name with glob characters is an existing file, such as `export{1}.csv`. */
async function exists(path: string): Promise<boolean> {
  const siblings: readonly string[] = await readdir(dirname(path)).catch(() => []);
  return siblings.includes(basename(path));
}
