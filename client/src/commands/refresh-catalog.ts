import { ProgressLocation, window } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Reads tables and columns of the graph's data source anew. */
export const refreshCatalog: Command = async ({ language }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const outcome = await window.withProgress(
    { location: ProgressLocation.Notification, title: 'Reading the catalog of the data source', cancellable: true },
    (_progress, token) => language.request('entityGraph/refreshCatalog', { uri: uri.toString() }, token),
  );
  if (!outcome.ok) return showFailure(outcome.error, uri);
  const { objects } = outcome.value;
  void window.showInformationMessage(`The catalog has ${objects} ${objects === 1 ? 'data object' : 'data objects'}.`);
};
