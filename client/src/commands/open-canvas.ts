import { ViewColumn, commands } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { canvasViewType } from '../command-ids.ts';
import type { Command } from './command.ts';

/** Draws the graph beside its text. */
export const openCanvas: Command = async (_parts, [file]) => {
  const uri = await chooseGraph(file);
  if (uri) await commands.executeCommand('vscode.openWith', uri, canvasViewType, ViewColumn.Beside);
};
