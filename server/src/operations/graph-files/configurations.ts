import type { Document } from 'yaml';
import { basename, dirname, join } from 'node:path';
import type { ExistingFile } from '../../../../protocol/language-requests.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget, checkFolderTarget } from '../../files/write-target.ts';
import { aliasMistakes } from '../../model/alias-mistakes.ts';
import { says } from '../../model/edits/new-text.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { plainDocument } from '../../model/plain-value.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { type GraphFile, type ProjectSurroundings, readGraphFile } from '../../project/open-project.ts';
import { textRange } from '../../project/text-range.ts';
import { writeNew } from './copy-graph.ts';
import { documentText, numberWithoutJson } from './document-text.ts';
import type { FileOutcome } from './lifecycle-result.ts';
import { OperationError, problemFailure, toFailure } from '../operation-error.ts';

/**
 * Exports a graph as JSON or YAML. A YAML file is copied with its comments; export, import and export give the same
 * text. Rejects with `yaml-syntax` for an unreadable file.
 */
export async function exportConfiguration(
  path: string,
  output: string,
  format: 'json' | 'yaml',
  surroundings: ProjectSurroundings,
): Promise<FileOutcome> {
  const target = await checkFileTarget(output, { example: `graph.${format}` });
  const file = await readGraphFile(path, surroundings);
  const { yaml, problems } = parseEntityGraph(file.text);
  const staysAsItIs = format === 'yaml' && !/^\s*\{/.test(file.text);
  const mistakes = staysAsItIs || problems.length > 0 ? problems : aliasMistakes(yaml);
  if (mistakes.length > 0) throw problemFailure(mistakes, file);
  if (format === 'json') refuseWithoutJson(yaml.document, file);
  const text = staysAsItIs ? file.text : provenText(yaml, format, file);
  await writeFileAtomic(target.real, text);
  return { file: output, action: 'exported' };
}

/** Converts a document, and verifies the result. */
function provenText({ document, text }: YamlText, format: 'json' | 'yaml', { path }: GraphFile): string {
  const meaning = plainDocument(document, text);
  const written = documentText(document, format);
  if (says(written, meaning)) return written;
  throw new OperationError({
    code: 'not-writable',
    message: `${basename(path)} cannot be written as ${format === 'json' ? 'JSON' : 'YAML'} without changing what it says.`,
    file: path,
  });
}

/** JSON would write the number as null and lose it. */
function refuseWithoutJson(document: Document, file: GraphFile): void {
  const number = numberWithoutJson(document);
  if (!number) return;
  throw new OperationError({
    code: 'not-in-json',
    message: `${basename(file.path)} has the number ${number.text}, which JSON cannot say.`,
    file: file.path,
    range: textRange(file.text, number),
    remedy: 'Export the configuration as YAML, or put the value in quotes.',
  });
}

/**
 * Imports configurations as entity graphs into a folder, with a result for each; existing files are overwritten on
 * request only.
 */
export async function importConfigurations(
  paths: readonly string[],
  folder: string,
  surroundings: ProjectSurroundings,
  existing: ExistingFile = 'refuse',
): Promise<readonly FileOutcome[]> {
  await checkFolderTarget(folder);
  const outcomes: FileOutcome[] = [];
  for (const path of paths) {
    try {
      outcomes.push(await importConfiguration(path, folder, surroundings, existing));
    } catch (error) {
      const { code, message, file } = toFailure(error);
      const inTheWay = code === 'file-exists' && file !== undefined ? { existing: file } : {};
      outcomes.push({ file: path, action: 'refused', message, ...inTheWay });
    }
  }
  return outcomes;
}

async function importConfiguration(
  path: string,
  folder: string,
  surroundings: ProjectSurroundings,
  existing: ExistingFile,
): Promise<FileOutcome> {
  const file = await readGraphFile(path, surroundings);
  const { graph, yaml, problems } = parseEntityGraph(file.text);
  if (problems.length > 0) throw problemFailure(problems, file);
  if (graph.elements.length === 0 && graph.dataSource === undefined) {
    throw new OperationError({
      code: 'no-entity-graph',
      message: `${basename(path)} is no entity graph: it names neither a data source nor elements.`,
    });
  }
  const ending = /^\s*\{/.test(yaml.text) ? '.entity.json' : '.entity.yaml';
  const name = basename(path).replace(/(\.entity)?\.(ya?ml|json)$/i, '');
  const target = await write(join(folder, name), ending, file.text, { existing, surroundings });
  return { file: target, action: 'imported' };
}

/** @returns the written path: `base` with the extension, or numbered to keep both files. */
async function write(
  base: string,
  ending: string,
  text: string,
  { existing, surroundings }: { readonly existing: ExistingFile; readonly surroundings: ProjectSurroundings },
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
      await writeNew(free, text, surroundings);
      return free;
    } catch (error) {
      if (existing === 'refuse' || toFailure(error).code !== 'file-exists') throw error;
    }
  }
}
