import { createEntryReader } from './entry-reader.ts';
import { createIncrementalYaml } from './incremental-yaml.ts';
import { type ParsedEntityGraph, readingGraph } from './parse-model.ts';
import { type Steps, toEnd } from './steps.ts';
import type { TextChange } from './text-change.ts';

/**
 * Reads the versions of one document, each time only the entries that changed. What an earlier call returned must not be
 * used after the next one: entries that stay are the same objects, at their new places.
 */
export interface GraphParser {
  /** @param change what was replaced since the last call, when that is known. */
  parse(text: string, change?: TextChange): ParsedEntityGraph;
  /** The same, entry by entry. Once begun, it must be done to its end before another version is read. */
  reading(text: string, change?: TextChange): Steps<ParsedEntityGraph>;
}

/**
 * More words and signs in one piece take the YAML library, and the rules, a tenth of a second: an entry with a list of 14,000 names,
 * or 200 kB of a text that cannot be divided.
 */
export const mostWhileTyping = 60_000;

/** @param most words and signs that are read in one piece: an entry with more is left out, and says so. */
export function createGraphParser(most = Infinity): GraphParser {
  const yaml = createIncrementalYaml(most);
  const entries = createEntryReader();
  function* reading(text: string, change?: TextChange): Steps<ParsedEntityGraph> {
    const read = yield* yaml.reading(text, change);
    yield;
    return yield* readingGraph(text, read, entries);
  }
  return { reading, parse: (text, change) => toEnd(reading(text, change)) };
}
