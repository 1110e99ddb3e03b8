import { createGraphParser } from '../model/graph-parser.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../model/parse-model.ts';
import { createSlices } from './slices.ts';

/** Shorter texts are read at once: that takes less than anybody notices. */
export const longText = 200_000;

/** Reads a graph, a large one in turns with whatever else is to be done in this process. */
export async function parseInTurns(text: string): Promise<ParsedEntityGraph> {
  const parser = createGraphParser();
  if (text.length < longText) return parser.parse(text);
  const slices = createSlices();
  const steps = parser.reading(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slices.isTimeUp()) await slices.pause();
  }
}

/** Reads a graph for an operation: a short one as a whole, which tells only its first mistake, a large one in turns. */
export async function readGraphText(text: string): Promise<ParsedEntityGraph> {
  return text.length < longText ? parseEntityGraph(text) : parseInTurns(text);
}
