import { type Uri, l10n } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

/** Reads tables and columns of the graph's data source again. */
export const refreshCatalog: Command = async (parts, [file]) => {
  const uri = await chooseGraph(file);
  if (uri) await refresh(parts, uri);
};

async function refresh({ language }: Pick<ClientParts, 'language'>, uri: Uri): Promise<void> {
  const outcome = await progressWhenSlow(language, l10n.t('Reading the catalog of the data source'), (token, report) =>
    reportedRequest(language, 'entityGraph/refreshCatalog', { uri: uri.toString() }, { token, report }),
  );
  if (!outcome.ok) return showFailure(outcome.error, uri, { again: () => refresh({ language }, uri) });
  const { objects } = outcome.value;
  void showInformationMessage(l10n.t('The catalog has {0} data objects.', objects));
}
