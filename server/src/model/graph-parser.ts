import { createEntryReader } from './entry-reader.ts';
import { createIncrementalYaml } from './incremental-yaml.ts';
import { type ParsedEntityGraph, readingGraph } from './parse-model.ts';
import { type Steps, toEnd } from './steps.ts';
import type { TextChange } from './text-change.ts';

/**
 * Parses the versions of one document incrementally. Results of earlier calls become invalid: unchanged entries are the
 * same objects with updated positions.
 */
export interface GraphParser {
  /** @param change the replaced range since the last call, if known. */
  parse(text: string, change?: TextChange): ParsedEntityGraph;
  /** Parses entry by entry. A started parse must be completed before the next version. */
  reading(text: string, change?: TextChange): Steps<ParsedEntityGraph>;
}

/**
 * Maximum number of tokens parsed at once, which takes a tenth of a second including rules: an entry with a list of
 * 14,000 names, or 200 kB of undivided text.
 */
export const maxWhileTyping = 60_000;

/** @param most maximum number of tokens parsed at once: larger entries are skipped with a problem. */
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
