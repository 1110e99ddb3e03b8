import { ProgressLocation, Uri, l10n, workspace } from 'vscode';
import type { DeletionView } from '../../../protocol/requests/lifecycle-requests.ts';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { showWarningMessage, withProgress } from '../messages.ts';

/**
 * Deletes a graph's file, state and imported graphs after a confirmation that names them; tables inside a source on
 * request only.
 */
export const deleteGraph: Command = async ({ language, entities }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const removed = await language.request('entityGraph/previewDelete', { uri: uri.toString() });
  if (!removed.ok) return showFailure(removed.error, uri);
  const verb = l10n.t('Delete');
  const verbWithTables = l10n.t('Delete with Tables in the Source');
  // An untrusted workspace connects to nothing.
  const mayDrop = removed.value.inSources.length > 0 && workspace.isTrusted;
  const chosen = await showWarningMessage(
    l10n.t('Delete {0}?', fileName(uri)),
    { modal: true, detail: detailOf(removed.value) },
    verb,
    ...(mayDrop ? [verbWithTables] : []),
  );
  if (chosen === undefined) return;
  const dropTables = chosen === verbWithTables;
  const title = l10n.t('Deleting {0}', fileName(uri));
  const params = { uri: uri.toString(), dropTables };
  // Deleting files is fast and final, so only the work in the source can be cancelled.
  const outcome = dropTables
    ? await progressWhenSlow(language, title, (token) => language.request('entityGraph/delete', params, token))
    : await withProgress({ location: ProgressLocation.Window, title }, () =>
        language.request('entityGraph/delete', params),
      );
  if (!outcome.ok) await showFailure(outcome.error, uri, { intro: l10n.t('{0} was not deleted: ', fileName(uri)) });
  entities.refresh();
};

function detailOf({ paths, inSources }: DeletionView): string {
  const tables = inSources.map(({ dataSource, schema }) => l10n.t('Schema {0} of {1}', schema, dataSource));
  return [
    l10n.t('This removes for good:'),
    ...paths.map((path) => workspace.asRelativePath(Uri.file(path))),
    ...(tables.length > 0
      ? ['', l10n.t('Its tables inside the data source stay, unless you choose to delete them too:'), ...tables]
      : []),
  ].join('\n');
}
