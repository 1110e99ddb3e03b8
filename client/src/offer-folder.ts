import { commands, l10n } from 'vscode';
import { showErrorMessage } from './messages.ts';

/** Says why a folder is needed, with a button that opens one. */
export async function offerFolder(why: string): Promise<void> {
  const open = l10n.t('Open Folder…');
  if ((await showErrorMessage(why, open)) === open) await commands.executeCommand('vscode.openFolder');
}
