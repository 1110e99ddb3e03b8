import { l10n } from 'vscode';
import { chosenSecret } from '../connection-secrets.ts';
import type { Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

/** Deletes a password or token from VS Code's secret storage. */
export const forgetSecret: Command = async ({ secrets, dataSources, language }, [given]) => {
  const { sources } = await language.request('entityGraph/allDataSources', {});
  // Only stored secrets can be deleted.
  const known = secrets.names();
  const using = sources.map((source) => ({
    ...source,
    secrets: source.secrets.filter((name) => known.includes(name)),
  }));
  const options = { title: l10n.t('Forget Secret'), allowNew: false };
  const chosen = await chosenSecret(using, known, given, options);
  if (!chosen) return;
  await secrets.forget(chosen.name, chosen.uses);
  void showInformationMessage(l10n.t('Secret "{0}" is forgotten.', chosen.name));
  dataSources.reload();
};
