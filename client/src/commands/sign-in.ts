import { Uri, l10n } from 'vscode';
import { chooseDataSource } from '../choose-data-source.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

/** Logs in to a data source in the browser. */
export const signIn: Command = async ({ language }, [given]) => {
  const source = await chooseDataSource(language, given, { ability: 'signIn' });
  if (!source) return;
  const outcome = await language.request('entityGraph/signIn', { uri: source.uri, dataSource: source.name });
  if (!outcome.ok) await showFailure(outcome.error, Uri.parse(source.uri));
  else if (outcome.value.signedIn) void showInformationMessage(l10n.t('Logged in to {0}.', source.name));
};
