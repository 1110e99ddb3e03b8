import { ViewColumn, commands } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import type { Command } from './command.ts';

/** Replaces the canvas by the text editor. */
export const reopenAsText: Command = async (_parts, [file]) => {
  const uri = await chooseGraph(file);
  if (uri) await commands.executeCommand('vscode.openWith', uri, 'default', ViewColumn.Active);
};
