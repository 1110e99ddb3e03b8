import { l10n, workspace } from 'vscode';
import { chosenSecret } from '../connection-secrets.ts';
import type { DataSourceNode } from '../data-source-items.ts';
import type { Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

/** Keeps a password or token in VS Code's secret storage: one that is asked for, or one that a quick fix takes out of a file. */
export const setSecret: Command = async ({ secrets, dataSources }, [given, value]) => {
  if (typeof given === 'string' && typeof value === 'string') {
    await secrets.keep(given, value);
    dataSources.reload();
    return;
  }
  const name = await chosenSecret(secrets, given, { title: l10n.t('Set Secret'), allowNew: true });
  if (name === undefined || !(await secrets.set(name))) return;
  void showInformationMessage(l10n.t('Secret "{0}" is set.', name));
  const node = given as DataSourceNode | undefined;
  // What was found out about a source without its secret, or with another, holds no more.
  if (node && typeof node === 'object' && 'source' in node && workspace.isTrusted)
    await dataSources.refresh(node.source);
  else dataSources.reload();
};
