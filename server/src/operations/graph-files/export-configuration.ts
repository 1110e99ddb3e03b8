import type { Document } from 'yaml';
import { basename } from 'node:path';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';
import { aliasMistakes } from '../../model/alias-mistakes.ts';
import { means } from '../../model/edits/new-text.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { plainDocument } from '../../model/plain-value.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import { type GraphFile, type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { textRange } from '../../project/text-range.ts';
import { documentText, numberWithoutJson } from './document-text.ts';
import type { FileOutcome } from './lifecycle-result.ts';
import { OperationError, problemFailure } from '../operation-error.ts';

/**
 * Exports a graph as JSON or YAML. A YAML file is copied with its comments; export, import and export give the same
 * text. Rejects with `yaml-syntax` for an unreadable file.
 */
export async function exportConfiguration(
  path: string,
  output: string,
  format: 'json' | 'yaml',
  projectContext: ProjectContext,
): Promise<FileOutcome> {
  const target = await checkFileTarget(output, { example: `graph.${format}` });
  const file = await readGraphFile(path, projectContext);
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
  if (means(written, meaning)) return written;
  throw new OperationError({
    code: 'not-writable',
    message: `${basename(path)} cannot be written as ${format === 'json' ? 'JSON' : 'YAML'} without changing what it means.`,
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
    remedy: 'Export the entity graph as YAML, or put the value in quotes.',
  });
}
