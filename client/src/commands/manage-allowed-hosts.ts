import { type QuickPickItem, Uri, l10n, window, workspace } from 'vscode';
import type { AllowedUse } from '../secret-store.ts';
import { placeText, valueText } from '../use-permissions.ts';
import type { Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

interface UseItem extends QuickPickItem {
  readonly use: AllowedUse;
}

const icons: Readonly<Record<AllowedUse['value'], string>> = {
  secret: 'key',
  env: 'symbol-variable',
  login: 'account',
};

/** Lists allowed hosts; deselected entries are revoked, and their secrets deleted. */
export const manageAllowedHosts: Command = async ({ store, dataSources }) => {
  const items = store.allowed().map((use): UseItem => ({
    label: `$(${icons[use.value]}) ${valueText(use)}`,
    description: placeText(use),
    detail: folderText(use.folder),
    picked: true,
    use,
  }));
  if (items.length === 0) {
    void showInformationMessage(l10n.t('Nothing is allowed to be sent anywhere yet.'));
    return;
  }
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Manage Allowed Hosts'),
    placeHolder: l10n.t('What data sources may send, and where. Deselect an entry to revoke it.'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen) return;
  const revoked = items.filter((item) => !chosen.includes(item));
  if (revoked.length === 0) return;
  await store.revoke(revoked.map(({ use }) => use));
  void showInformationMessage(
    revoked.length === 1 ? l10n.t('1 permission is revoked.') : l10n.t('{0} permissions are revoked.', revoked.length),
  );
  dataSources.reload();
};

function folderText(folder: string): string {
  const uri = Uri.parse(folder);
  return workspace.getWorkspaceFolder(uri)?.name ?? uri.fsPath;
}
