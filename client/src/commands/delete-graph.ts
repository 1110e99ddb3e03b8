import { Uri, l10n, window, workspace } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Removes a graph's file, state and imported graphs, after a confirmation that names them. */
export const deleteGraph: Command = async ({ language, entities }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const paths = await language.request('entityGraph/deletedPaths', { uri: uri.toString() });
  if (!paths.ok) return showFailure(paths.error, uri);
  const detail = [
    l10n.t('This removes for good:'),
    ...paths.value.map((path) => workspace.asRelativePath(Uri.file(path))),
  ].join('\n');
  const verb = l10n.t('Delete');
  const chosen = await window.showWarningMessage(l10n.t('Delete {0}?', fileName(uri)), { modal: true, detail }, verb);
  if (chosen !== verb) return;
  const outcome = await language.request('entityGraph/delete', { uri: uri.toString() });
  if (!outcome.ok) await showFailure(outcome.error, uri);
  entities.refresh();
};
