import { chooseGraph } from '../active-graph.ts';
import { showText } from '../reveal-range.ts';
import type { Command } from './command.ts';

/** Shows the text of the graph that the canvas draws. */
export const openText: Command = async (_parts, [file]) => {
  const uri = await chooseGraph(file);
  if (uri) await showText(uri);
};
