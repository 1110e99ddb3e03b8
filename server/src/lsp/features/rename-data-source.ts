import { basename } from 'node:path';
import type { WorkspaceEdit } from 'vscode-languageserver/node';
import type { MeaningChange } from '../../model/edits/meaning-change.ts';
import { type VerifiedEdits, noEdits } from '../../model/edits/verified-edits.ts';
import { writeChanges } from '../../model/edits/write-changes.ts';
import { nodeAt } from '../../model/node-path.ts';
import { parseYaml } from '../../model/yaml-text.ts';
import { readSourcesFile } from '../../project/open-project.ts';
import { type DataSourcePlaces, dataSourcePlaces } from './data-source-places.ts';
import { fileNameOfUri } from '../file-uri.ts';
import type { LanguageServer } from '../language-server.ts';
import { workspaceEditOf } from './to-workspace-edit.ts';

/**
 * Renames a data source in its file and in every graph that uses it, unsaved text first. Secret names are unchanged,
 * because they identify stored secrets.
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
    return { refusal: `${basename(file.path)} cannot be read at the moment. Correct its first error.` };
  }
  if (name !== newName && file.sources.sources.some((source) => source.name.value === newName)) {
    return { refusal: `Another data source is already called "${newName}".` };
  }
  const [own, ...graphs] = await dataSourcePlaces(server, folders, file, name);
  const edits: { readonly document: DataSourcePlaces; readonly edits: VerifiedEdits }[] = [];
  for (const place of [own, ...graphs]) {
    const changes: readonly MeaningChange[] =
      place === own
        ? [{ kind: 'rename', path: ['dataSources', name], key: newName }]
        : place.ranges.flatMap((range): readonly MeaningChange[] => {
            const found = nodeAt(parseYaml(place.text).document.contents, range, place.text);
            return found ? [{ kind: 'set', path: found.path, value: newName }] : [];
          });
    const written = name === newName ? { edits: noEdits } : writeChanges(place, changes);
    if ('refusal' in written) return { refusal: `${fileNameOfUri(place.uri)}: ${written.refusal}` };
    edits.push({ document: place, edits: written.edits });
  }
  return { edit: workspaceEditOf(edits, server.abilities().forms) };
}
