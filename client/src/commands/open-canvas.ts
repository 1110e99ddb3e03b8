import { ViewColumn, commands } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { canvasViewType } from '../command-ids.ts';
import type { Command } from './command.ts';

/** Opens the canvas in the active editor group. */
export const openCanvas: Command = (_parts, [file]) => open(file, ViewColumn.Active);

/** Opens the canvas beside the text. */
export const openCanvasToSide: Command = (_parts, [file]) => open(file, ViewColumn.Beside);

async function open(file: unknown, column: ViewColumn): Promise<void> {
  const uri = await chooseGraph(file);
  if (uri) await commands.executeCommand('vscode.openWith', uri, canvasViewType, column);
}
