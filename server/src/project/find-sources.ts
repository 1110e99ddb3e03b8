import { access } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';

/** File names of a data sources file; the first existing one in a folder applies. */
export const sourcesFileNames = ['entity-sources.yaml', 'entity-sources.yml', 'entity-sources.json'] as const;

/**
 * Path of the `entity-sources` file of an entity graph: in its folder or the nearest parent folder, not above
 * `workspaceFolder` (docs/semantics.md#13-the-data-sources-file-of-an-entity-graph). Undefined when there is none.
 */
export function findSourcesFile(entityFile: string, workspaceFolder: string): Promise<string | undefined> {
  return firstIn(foldersOfSources(entityFile, workspaceFolder));
}

/** The nearest `entity-sources` file above `workspaceFolder`, which does not apply, so that messages can say why. */
export function findSourcesAbove(workspaceFolder: string): Promise<string | undefined> {
  const top = resolve(workspaceFolder);
  return firstIn(foldersOfSources(join(top, 'file'), parse(top).root).slice(1));
}

async function firstIn(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    for (const name of sourcesFileNames) {
      const candidate = join(folder, name);
      if (await exists(candidate)) return candidate;
    }
  }
  return undefined;
}

/** The folders searched for the `entity-sources` file of an entity graph, in order. */
export function foldersOfSources(entityFile: string, workspaceFolder: string): readonly string[] {
  const top = resolve(workspaceFolder);
  const folders = [dirname(resolve(entityFile))];
  for (;;) {
    const [folder = top] = folders.slice(-1);
    const parent = dirname(folder);
    if (folder === top || parent === folder) return folders;
    folders.push(parent);
  }
}

/** The git root of a file; without one, the current folder if it contains the file, else the file's folder. */
export async function defaultWorkspaceFolder(file: string, currentFolder: string): Promise<string> {
  const start = dirname(resolve(file));
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) break;
  }
  const current = resolve(currentFolder);
  const inside =
    start === current ||
    start.startsWith(current.endsWith('/') || current.endsWith('\\') ? current : join(current, '/'));
  return inside ? current : start;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
