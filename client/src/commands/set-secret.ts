import { commands, l10n, workspace } from 'vscode';
import { commandIds } from '../command-ids.ts';
import { chosenSecret } from '../connection-secrets.ts';
import type { DataSourceNode } from '../data-source-items.ts';
import type { Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

/** The setting in which a quick fix found a secret, so that it is stored for its receiver. */
interface TakenFrom {
  readonly uri: string;
  readonly dataSource: string;
}

/**
 * Stores a password or token in VS Code's secret storage, entered by the user or taken from a file by a quick fix.
 * Resolves to whether one was stored.
 */
export const setSecret: Command = async ({ secrets, dataSources, diagnosis, language }, [given, value, takenFrom]) => {
  if (typeof given === 'string' && typeof value === 'string') {
    const place = takenFrom as TakenFrom | undefined;
    const uses = place ? await language.request('entityGraph/secretUses', place) : [];
    await secrets.keep(
      given,
      value,
      uses.filter((use) => use.value === 'secret' && use.name === given),
    );
    dataSources.reload();
    return true;
  }
  const { sources } = await language.request('entityGraph/allDataSources', {});
  const options = { title: l10n.t('Set Secret'), allowNew: true };
  const chosen = await chosenSecret(sources, secrets.names(), given, options);
  if (!chosen || !(await secrets.set(chosen.name, chosen.uses))) return false;
  void showInformationMessage(l10n.t('Secret "{0}" is set.', chosen.name));
  const node = given as DataSourceNode | undefined;
  // Results obtained without the secret, or with another one, are outdated.
  if (node && typeof node === 'object' && 'source' in node && workspace.isTrusted) {
    await dataSources.refresh(node.source);
    if (diagnosis.isOf(node.source)) await commands.executeCommand(commandIds.diagnoseSource, node);
  } else dataSources.reload();
  return true;
};
