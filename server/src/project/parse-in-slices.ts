import { createGraphParser } from '../model/graph-parser.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../model/parse-model.ts';
import { createTimeSlices } from './time-slices.ts';

/** Shorter texts are parsed at once, because that is fast enough. */
export const longText = 200_000;

/** Parses a graph, a large one in time slices. */
export async function parseInSlices(text: string): Promise<ParsedEntityGraph> {
  const parser = createGraphParser();
  if (text.length < longText) return parser.parse(text);
  const slices = createTimeSlices();
  const steps = parser.reading(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slices.isTimeUp()) await slices.pause();
  }
}

/**
 * Parses a graph for an operation: a short one at once, which reports its first mistake only, a large one in time
 * slices.
 */
export async function readGraphText(text: string): Promise<ParsedEntityGraph> {
  return text.length < longText ? parseEntityGraph(text) : parseInSlices(text);
}
