import { dirname, resolve } from 'node:path';
import { type Renaming, renamedInTests, renamingsBetween } from '../../graph-tests/rename-in-tests.ts';
import { createLineIndex } from '../../model/line-index.ts';
import type { VerifiedEdits } from '../../model/edits/verified-edits.ts';
import { applyEdits } from '../../model/edits/text-edit.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../model/parse-model.ts';
import { listTestFiles } from '../../project/list-entity-files.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { parseGraphTests } from '../../graph-tests/parse-graph-tests.ts';
import { fileNameOfUri, uriOfPath } from '../file-uri.ts';
import type { LanguageServer } from '../language-server.ts';
import type { workspaceEditOf } from './to-workspace-edit.ts';

/** Edits of a file. */
export type DocumentEdits = Parameters<typeof workspaceEditOf>[0][number];

/** The files of tests of a graph in and below the folders and its own folder, unsaved text first. */
export async function testsOfGraph(
  { documents, project }: Pick<LanguageServer, 'documents' | 'project'>,
  folders: readonly string[],
  graphPath: string,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const searched = project.workspaceFolderOf?.(graphPath) === undefined ? [...folders, dirname(graphPath)] : folders;
  const files = await Promise.all(searched.map((folder) => listTestFiles(folder).catch(() => [])));
  const open = documents.files().flatMap(({ kind, path }) => (kind === 'tests' ? (path ?? []) : []));
  const all = await Promise.all(
    [...new Set([...files.flat(), ...open])].map((path) => readGraphFile(path, project).catch(() => undefined)),
  );
  return all.filter((file) => {
    if (!file) return false;
    const named = parseGraphTests(file.text).graph?.value;
    return named !== undefined && resolve(dirname(file.path), named) === graphPath;
  }) as readonly { readonly path: string; readonly text: string }[];
}

/** What edits of a graph rename. Uses the text before the next await, because a newer version changes it. */
export function renamingsOf({ graph, yaml }: ParsedEntityGraph, edits: VerifiedEdits): readonly Renaming[] {
  return renamingsBetween(graph, parseEntityGraph(applyEdits(yaml.text, edits)).graph);
}

/** The edits of files of tests after names of their graph changed; a refusal names the file. */
export function editsOfTests(
  { documents }: Pick<LanguageServer, 'documents'>,
  tests: Awaited<ReturnType<typeof testsOfGraph>>,
  renamings: readonly Renaming[],
): readonly DocumentEdits[] | { readonly refusal: string } {
  const all: { document: DocumentEdits['document']; edits: VerifiedEdits }[] = [];
  for (const { path, text } of tests) {
    const opened = documents.files().find((file) => file.path === path);
    const uri = opened?.uri ?? uriOfPath(path);
    const outcome = renamedInTests(parseGraphTests(text), renamings);
    if ('refusal' in outcome) return { refusal: `${fileNameOfUri(uri)}: ${outcome.refusal}` };
    if (outcome.edits.length === 0) continue;
    all.push({
      document: { uri, version: opened?.version ?? null, lines: createLineIndex(text) },
      edits: outcome.edits,
    });
  }
  return all;
}
