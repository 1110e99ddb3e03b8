import { ViewColumn, commands } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { canvasViewType } from '../command-ids.ts';
import type { Command } from './command.ts';

/** Draws the graph in the group of editors that is active. */
export const openCanvas: Command = (_parts, [file]) => open(file, ViewColumn.Active);

/** Draws the graph beside its text. */
export const openCanvasToSide: Command = (_parts, [file]) => open(file, ViewColumn.Beside);

async function open(file: unknown, column: ViewColumn): Promise<void> {
  const uri = await chooseGraph(file);
  if (uri) await commands.executeCommand('vscode.openWith', uri, canvasViewType, column);
}
