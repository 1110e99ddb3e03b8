import { Uri, commands, l10n, window, workspace } from 'vscode';
import type { Command } from './command.ts';

/** Copies the bundled sample into a folder chosen by the user, and opens it. */
export const openSample: Command = async ({ extensionUri }) => {
  const [parent] =
    (await window.showOpenDialog({
      title: l10n.t('Folder for the Sample Workspace'),
      openLabel: l10n.t('Put the Sample Here'),
      canSelectFolders: true,
      canSelectFiles: false,
    })) ?? [];
  if (!parent) return;
  const target = Uri.joinPath(parent, 'entity-graph-sample');
  const there = await workspace.fs.stat(target).then(
    () => true,
    () => false,
  );
  // Existing files with changes are kept.
  if (!there) await workspace.fs.copy(Uri.joinPath(extensionUri, 'samples/incidents'), target);
  const hasFolder = (workspace.workspaceFolders ?? []).length > 0;
  await commands.executeCommand('vscode.openFolder', target, { forceNewWindow: hasFolder });
};
