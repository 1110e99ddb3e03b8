import { commands } from 'vscode';
import type { Command } from './command.ts';

/** Opens the page that leads through the first steps. */
export const openWalkthrough: Command = async ({ extensionId }) => {
  await commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#entityGraph.start`, false);
};
