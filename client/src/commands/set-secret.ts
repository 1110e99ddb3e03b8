import { l10n, window } from 'vscode';
import { chosenSecret } from '../connection-secrets.ts';
import type { Command } from './command.ts';

/** Keeps a password or token in VS Code's secret storage. */
export const setSecret: Command = async ({ secrets, dataSources }, [given]) => {
  const name = await chosenSecret(secrets, given, { title: l10n.t('Set Secret'), allowNew: true });
  if (name === undefined || !(await secrets.set(name))) return;
  void window.showInformationMessage(l10n.t('Secret "{0}" is set.', name));
  dataSources.reload();
};
