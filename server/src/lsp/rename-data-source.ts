import { basename } from 'node:path';
import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { writtenLike } from '../model/edits/text-edit.ts';
import { readSourcesFile } from '../project/open-project.ts';
import { type DataSourcePlaces, dataSourcePlaces } from './data-source-places.ts';
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
  const file = await readSourcesFile(sourcesFile, server.project);
  if (!file.sources.complete) {
    return { refusal: `${basename(file.path)} cannot be read at the moment. Mend its first error.` };
  }
  if (name !== newName && file.sources.sources.some((source) => source.name.value === newName)) {
    return { refusal: `Another data source is already called "${newName}".` };
  }
  const places = await dataSourcePlaces(server, folders, file, name);
  return { edit: { documentChanges: places.map((place) => renamed(place, newName)) } };
}

function renamed({ uri, version, text, lines, ranges }: DataSourcePlaces, newName: string): TextDocumentEdit {
  return {
    textDocument: { uri, version },
    edits: ranges.map((range) => ({
      range: lines.range(range),
      newText: writtenLike(newName, text.slice(range.start, range.end)),
    })),
  };
}
