import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dataSourcesNamed } from '../model/data-sources-used.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import { defaultWorkspaceFolder, findSourcesFile } from './find-sources.ts';
import { listEntityFiles } from './list-entity-files.ts';
import type { ProjectContext } from './open-project.ts';
import { readGraphText } from './parse-in-slices.ts';
import { readTextFile } from './read-text-file.ts';

/** The data sources that a graph names; `unreadable` when its text cannot be parsed. */
type Use = { readonly kind: 'sources'; readonly names: readonly string[] } | { readonly kind: 'unreadable' };

/** Cache by path: unchanged files are not read again. */
export type UseCache = Map<string, { readonly modifiedMs: number; readonly size: number; readonly use: Use }>;

/**
 * Names of the data sources used by the entity graphs of a sources file, unsaved text first. Undefined when the folder
 * or a graph cannot be read.
 */
export async function findSourceUses(
  sourcesPath: string,
  { openText, openGraph, workspaceFolderOf }: Pick<ProjectContext, 'openText' | 'openGraph' | 'workspaceFolderOf'>,
  memory: UseCache = new Map(),
): Promise<ReadonlySet<string> | undefined> {
  const files = await graphsBelow(sourcesPath, workspaceFolderOf).catch(() => undefined);
  if (!files) return undefined;
  const names = new Set<string>();
  for (const file of files) {
    const open = openText?.(file);
    const parsed = open === undefined ? undefined : (await openGraph?.(file))?.parsed;
    const use = parsed
      ? useOf(parsed)
      : open === undefined
        ? await useOnDisk(file, memory).catch(() => unreadable)
        : await useIn(open);
    if (use.kind === 'unreadable') return undefined;
    for (const name of use.names) names.add(name);
  }
  return names;
}

/** Paths of the entity graphs to which a sources file applies. Rejects when the folder cannot be read. */
export async function graphsBelow(
  sourcesPath: string,
  workspaceFolderOf: ProjectContext['workspaceFolderOf'],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of await listEntityFiles(dirname(sourcesPath))) {
    const workspace = workspaceFolderOf?.(file) ?? (await defaultWorkspaceFolder(file, process.cwd()));
    // A nearer sources file applies to the graphs below it.
    if ((await findSourcesFile(file, workspace)) === sourcesPath) found.push(file);
  }
  return found;
}

const unreadable: Use = { kind: 'unreadable' };

async function useOnDisk(file: string, memory: UseCache): Promise<Use> {
  const { mtimeMs, size } = await stat(file);
  const before = memory.get(file);
  if (before?.modifiedMs === mtimeMs && before.size === size) return before.use;
  const use = await useIn(await readTextFile(file));
  memory.set(file, { modifiedMs: mtimeMs, size, use });
  return use;
}

async function useIn(text: string): Promise<Use> {
  return useOf(await readGraphText(text));
}

function useOf({ graph, problems }: ParsedEntityGraph): Use {
  if (!graph.dataSource && problems.length > 0) return unreadable;
  return { kind: 'sources', names: dataSourcesNamed(graph) };
}
