import { createEntryReader } from './entry-reader.ts';
import { createIncrementalYaml } from './incremental-yaml.ts';
import { type ParsedEntityGraph, parseEntityGraph } from './parse-model.ts';

/**
 * Reads the versions of one document, each time only the entries that changed. What an earlier call returned must not be
 * used after the next one: entries that stay are the same objects, at their new places.
 */
export interface GraphParser {
  parse(text: string): ParsedEntityGraph;
}

export function createGraphParser(): GraphParser {
  const yaml = createIncrementalYaml();
  const entries = createEntryReader();
  return { parse: (text) => parseEntityGraph(text, yaml.parse(text), entries) };
}
