import { Uri, window, workspace } from 'vscode';
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
  const detail = `This removes for good:\n${paths.value.map((path) => workspace.asRelativePath(Uri.file(path))).join('\n')}`;
  const chosen = await window.showWarningMessage(`Delete ${fileName(uri)}?`, { modal: true, detail }, 'Delete');
  if (chosen !== 'Delete') return;
  const outcome = await language.request('entityGraph/delete', { uri: uri.toString() });
  if (!outcome.ok) await showFailure(outcome.error, uri);
  entities.refresh();
};
