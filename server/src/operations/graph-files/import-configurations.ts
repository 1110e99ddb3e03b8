import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { DroppedConfiguration } from '../../../../protocol/requests/lifecycle-requests.ts';
import type { ExistingFile } from '../../../../protocol/requests/lifecycle-requests.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget, checkFolderTarget } from '../../files/write-target.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { type GraphFile, type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { writeNew } from './copy-graph.ts';
import type { FileOutcome } from './lifecycle-result.ts';
import { OperationError, problemFailure, toFailure } from '../operation-error.ts';

interface ConfigurationImport {
  readonly existing?: ExistingFile | undefined;
  /** Configurations without a path, such as those dropped from another program. */
  readonly texts?: readonly DroppedConfiguration[] | undefined;
}

/**
 * Imports entity graph files into a folder, with a result for each; existing files are overwritten on
 * request only.
 * @param paths of files, or of folders, of which all entity graphs are taken.
 */
export async function importConfigurations(
  paths: readonly string[],
  folder: string,
  projectContext: ProjectContext,
  { existing = 'refuse', texts = [] }: ConfigurationImport = {},
): Promise<readonly FileOutcome[]> {
  await checkFolderTarget(folder);
  const outcomes: FileOutcome[] = [];
  const options = { existing, projectContext };
  const take = async (path: string, read: () => Promise<GraphFile>): Promise<void> => {
    try {
      outcomes.push(await importConfiguration(await read(), folder, options));
    } catch (error) {
      const { code, message, file } = toFailure(error);
      const inTheWay = code === 'file-exists' && file !== undefined ? { existing: file } : {};
      outcomes.push({ file: path, action: 'refused', message, ...inTheWay });
    }
  };
  for (const path of paths) {
    const inside = await configurationsIn(path, projectContext);
    if (inside?.length === 0) {
      outcomes.push({ file: path, action: 'refused', message: `${basename(path)} holds no entity graph.` });
    }
    for (const each of inside ?? [path]) await take(each, () => readGraphFile(each, projectContext));
  }
  for (const { name, text } of texts) await take(name, async () => ({ path: basename(name), text }));
  return outcomes;
}

/** The entity graph files in a folder; undefined when it is not a folder. */
async function configurationsIn(path: string, projectContext: ProjectContext): Promise<readonly string[] | undefined> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return undefined;
  const names = (await readdir(path)).filter((name) => /\.(ya?ml|json)$/i.test(name)).sort();
  const found: string[] = [];
  for (const name of names) {
    const file = await readGraphFile(join(path, name), projectContext).catch(() => undefined);
    // Other YAML and JSON files of a folder were not meant.
    if (file && (/\.entity\./i.test(name) || isConfiguration(file.text))) found.push(file.path);
  }
  return found;
}

function isConfiguration(text: string): boolean {
  const { graph, problems } = parseEntityGraph(text);
  return problems.length === 0 && (graph.elements.length > 0 || graph.dataSource !== undefined);
}

interface ImportOptions {
  readonly existing: ExistingFile;
  readonly projectContext: ProjectContext;
}

async function importConfiguration(file: GraphFile, folder: string, options: ImportOptions): Promise<FileOutcome> {
  const { path, text } = file;
  const { graph, yaml, problems } = parseEntityGraph(text);
  if (problems.length > 0) throw problemFailure(problems, file);
  if (graph.elements.length === 0 && graph.dataSource === undefined) {
    throw new OperationError({
      code: 'no-entity-graph',
      message: `${basename(path)} is not an entity graph: it names neither a data source nor elements.`,
    });
  }
  const ending = /^\s*\{/.test(yaml.text) ? '.entity.json' : '.entity.yaml';
  const name = basename(path).replace(/(\.entity)?\.(ya?ml|json)$/i, '');
  if (dirname(path) === resolve(folder) && basename(path) === `${name}${ending}`) {
    return { file: path, action: 'unchanged', message: 'It is an entity graph of this folder already.' };
  }
  const target = await write(join(folder, name), ending, text, options);
  return { file: target, action: 'imported' };
}

/** @returns the written path: `base` with the extension, or numbered to keep both files. */
async function write(
  base: string,
  ending: string,
  text: string,
  { existing, projectContext }: ImportOptions,
): Promise<string> {
  const target = `${base}${ending}`;
  if (existing === 'replace') {
    // The user has not named this file, so a link there is not followed.
    const { real } = await checkFileTarget(target, { within: dirname(base) });
    await writeFileAtomic(real, text);
    return target;
  }
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? target : `${base}-${number}${ending}`;
    try {
      await writeNew(free, text, projectContext);
      return free;
    } catch (error) {
      if (existing === 'refuse' || toFailure(error).code !== 'file-exists') throw error;
    }
  }
}
