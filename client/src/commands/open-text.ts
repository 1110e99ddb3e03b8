import { chooseGraph } from '../active-graph.ts';
import { showText } from '../reveal-range.ts';
import type { Command } from './command.ts';

/** Opens the text of the graph on the canvas. */
export const openText: Command = async (_parts, [file]) => {
  const uri = await chooseGraph(file);
  if (uri) await showText(uri);
};
