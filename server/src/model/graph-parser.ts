import type { EntityElement, Relationship } from './entity-graph.ts';
import { createIncrementalYaml } from './incremental-yaml.ts';
import { type EntryReader, type ParsedEntityGraph, parseEntityGraph } from './parse-model.ts';

/**
 * Reads the versions of one document, each time only the entries that changed. What an earlier call returned must not be
 * used after the next one: entries that stay are the same objects, at their new places.
 */
export interface GraphParser {
  parse(text: string): ParsedEntityGraph;
}

export function createGraphParser(): GraphParser {
  const yaml = createIncrementalYaml();
  const read = new WeakMap<object, EntityElement | Relationship>();
  const readEntry: EntryReader = (object, index, convert) => {
    const known = read.get(object.map) as ReturnType<typeof convert> | undefined;
    if (known?.index === index) return known;
    const entry = convert(object, index);
    read.set(object.map, entry);
    return entry;
  };
  return { parse: (text) => parseEntityGraph(text, yaml.parse(text), readEntry) };
}
