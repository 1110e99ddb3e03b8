import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { writtenLike } from '../model/edits/text-edit.ts';
import { createLineIndex } from '../model/line-index.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { SourceRange } from '../model/source-range.ts';
import { listEntityFiles } from '../project/list-entity-files.ts';
import { findSources, readGraphFile, readSourcesFile } from '../project/open-project.ts';
import type { LanguageServer } from './language-server.ts';

/**
 * Gives a data source another name in its file and in every graph of the open folders, or beside the file, that reads it,
 * open buffers first.
 * Secrets keep their names: they are called after what they are kept under, not after the source.
 */
export async function renameDataSource(
  server: LanguageServer,
  folders: readonly string[],
  sourcesFile: string,
  name: string,
  newName: string,
): Promise<{ readonly edit: WorkspaceEdit } | { readonly refusal: string }> {
  if (newName.trim() === '') return { refusal: 'A data source needs a name.' };
  const { path, text, sources } = await readSourcesFile(sourcesFile, server.project);
  if (!sources.complete) return { refusal: `${basename(path)} cannot be read at the moment. Mend its first error.` };
  if (name !== newName && sources.sources.some((source) => source.name.value === newName)) {
    return { refusal: `Another data source is already called "${newName}".` };
  }
  const places = sources.sources.filter((source) => source.name.value === name).map((source) => source.name.range);
  const changes = [change(server, path, text, places, newName)];
  // A sources file that was opened without a folder holds for the graphs beside it and below.
  const searched = server.project.workspaceFolderOf?.(path) === undefined ? [...folders, dirname(path)] : folders;
  const files = await Promise.all(searched.map((folder) => listEntityFiles(folder).catch(() => [])));
  const open = server.documents.all().flatMap((document) => (document.kind === 'graph' ? (document.path ?? []) : []));
  for (const file of new Set([...files.flat(), ...open])) {
    const graph = await readGraphFile(file, server.project).catch(() => undefined);
    const dataSource = graph && parseEntityGraph(graph.text).graph.dataSource;
    if (!graph || dataSource?.value !== name) continue;
    // Another sources file may be nearer: its source only has the same name.
    const own = await findSources(file, server.project).catch(() => undefined);
    if (own?.path === path) changes.push(change(server, file, graph.text, [dataSource.range], newName));
  }
  return { edit: { documentChanges: changes } };
}

function change(
  { documents }: LanguageServer,
  path: string,
  text: string,
  places: readonly SourceRange[],
  newName: string,
): TextDocumentEdit {
  const open = documents.all().find((document) => document.path === path);
  const lines = createLineIndex(text);
  return {
    textDocument: { uri: open?.uri ?? pathToFileURL(path).href, version: open?.version ?? null },
    edits: places.map((range) => ({
      range: lines.range(range),
      newText: writtenLike(newName, text.slice(range.start, range.end)),
    })),
  };
}
