import { commands, workspace } from 'vscode';
import type { Command } from './command.ts';

/** Opens the walkthrough. */
export const openWalkthrough: Command = async ({ extensionId }) => {
  await commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#entityGraph.start`, false);
  // VS Code completes a step when its context key becomes true after registration, not when it already is.
  const hasFolder = (workspace.workspaceFolders ?? []).length > 0;
  await commands.executeCommand('setContext', 'entityGraph.hasFolder', hasFolder);
};
