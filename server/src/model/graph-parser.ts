import { createEntryReader } from './entry-reader.ts';
import { createIncrementalYaml } from './incremental-yaml.ts';
import { type ParsedEntityGraph, parseEntityGraph } from './parse-model.ts';
import type { TextChange } from './text-change.ts';

/**
 * Reads the versions of one document, each time only the entries that changed. What an earlier call returned must not be
 * used after the next one: entries that stay are the same objects, at their new places.
 */
export interface GraphParser {
  /** @param change what was replaced since the last call, when that is known. */
  parse(text: string, change?: TextChange): ParsedEntityGraph;
}

export function createGraphParser(): GraphParser {
  const yaml = createIncrementalYaml();
  const entries = createEntryReader();
  return { parse: (text, change) => parseEntityGraph(text, yaml.parse(text, change), entries) };
}
