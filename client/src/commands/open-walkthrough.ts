import { commands, workspace } from 'vscode';
import type { Command } from './command.ts';

/** Opens the page that leads through the first steps. */
export const openWalkthrough: Command = async ({ extensionId }) => {
  await commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#entityGraph.start`, false);
  // VS Code takes a step for done by what becomes true once it knows the step, not by what has been true before.
  const hasFolder = (workspace.workspaceFolders ?? []).length > 0;
  await commands.executeCommand('setContext', 'entityGraph.hasFolder', hasFolder);
};
