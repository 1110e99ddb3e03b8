import { l10n } from 'vscode';
import { chosenSecret } from '../connection-secrets.ts';
import type { Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

/** Removes a password or token from VS Code's secret storage. */
export const forgetSecret: Command = async ({ secrets, dataSources }, [given]) => {
  const name = await chosenSecret(secrets, given, { title: l10n.t('Forget Secret'), allowNew: false });
  if (name === undefined) return;
  await secrets.forget(name);
  void showInformationMessage(l10n.t('Secret "{0}" is forgotten.', name));
  dataSources.reload();
};
