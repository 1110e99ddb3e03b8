import { Document, type Node, type Pair, type ParsedNode, type Scalar, YAMLMap, YAMLSeq, isMap } from 'yaml';
import { type JsonList, type JsonPair, jsonPairs } from './json-pairs.ts';
import type { SourceRange } from './source-range.ts';
import { type Steps, toEnd } from './steps.ts';
import { duplicateKey } from './syntax-mistakes.ts';
import { createLinks } from './yaml-links.ts';
import { YamlPart } from './yaml-part.ts';
import { type YamlText, yamlOptions } from './yaml-text.ts';

/** Parses the versions of a JSON document incrementally, by key and entry. */
interface IncrementalJson {
  /** Undefined for other text, which may be YAML and must be parsed as a whole. */
  parse(text: string): YamlText | undefined;
  /** Parses in steps. */
  reading(text: string): Steps<YamlText | undefined>;
}

/** @param most maximum number of tokens of a part: larger ones are skipped. */
export function createIncrementalJson(most = Infinity): IncrementalJson {
  let known: Parts = new Map();
  function* reading(text: string): Steps<YamlText | undefined> {
    const pairs = jsonPairs(text);
    if (!pairs) return undefined;
    const parts = partsFrom(known, most);
    const read = yield* readPairs(text, pairs, parts.take);
    // Parts that may be reused once an error is fixed.
    if (read) known = parts.taken;
    return read && compose(text, read);
  }
  return { reading, parse: (text) => toEnd(reading(text)) };
}

/** By text. */
type Parts = Map<string, YamlPart[]>;

/** The part with a text at a new position; undefined for invalid JSON. */
type TakePart = (text: string, start: number) => Steps<YamlPart | undefined>;

function partsFrom(known: Parts, most: number): { readonly take: TakePart; readonly taken: Parts } {
  const taken: Parts = new Map();
  const used = new Map<string, number>();
  return {
    taken,
    *take(text, start) {
      const count = used.get(text) ?? 0;
      const before = known.get(text)?.[count];
      if (!before && !isJson(text)) return undefined;
      const part = before ?? (yield* YamlPart.reading(text, start, most));
      used.set(text, count + 1);
      part.start = start;
      const same = taken.get(part.text);
      if (same) same.push(part);
      else taken.set(part.text, [part]);
      return part;
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface ReadPair {
  readonly place: SourceRange;
  /** The key as an object of its own, with its value unless that is a list of entries. */
  readonly head: YamlPart;
  readonly list?: { readonly place: JsonList; readonly items: readonly YamlPart[] } | undefined;
}

function* readPairs(text: string, pairs: readonly JsonPair[], take: TakePart): Steps<readonly ReadPair[] | undefined> {
  const read: ReadPair[] = [];
  for (const place of pairs) {
    const { start, end, list } = place;
    const written = list ? `${text.slice(start, list.start)}[]` : text.slice(start, end);
    const head = yield* take(`{${written}}`, start - 1);
    if (!head) return undefined;
    const items: YamlPart[] = [];
    for (const item of list?.items ?? []) {
      yield;
      const part = yield* take(text.slice(item.start, item.end), item.start);
      if (!part) return undefined;
      items.push(part);
    }
    read.push({ place, head, list: list && { place: list, items } });
  }
  return read;
}

function compose(text: string, read: readonly ReadPair[]): YamlText {
  const root = new YAMLMap();
  root.flow = true;
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}') + 1;
  root.range = [start, end, text.length];
  const keys = new Set<unknown>();
  const repeated = read.flatMap(({ head, list }) => {
    const pair = isMap(head.node) ? (head.node.items[0] as Pair<Scalar, Node> | undefined) : undefined;
    if (!pair) return [];
    if (list) pair.value = listOf(list.place, list.items);
    root.items.push(pair);
    const { value: key, range } = pair.key;
    if (!keys.has(key)) return keys.add(key) && [];
    return [duplicateKey(range?.[0] ?? 0, (range?.[1] ?? 0) - (range?.[0] ?? 0))];
  });
  const document = new Document<ParsedNode>(null, yamlOptions);
  document.contents = root as unknown as ParsedNode;
  const faulty = read
    .flatMap(({ head, list }) => [head, ...(list?.items ?? [])])
    .filter((part) => part.problems.length > 0);
  const inParts = faulty.flatMap((part) =>
    part.problems.map(({ range, ...problem }) => ({
      ...problem,
      range: { start: range.start + part.start, end: range.end + part.start },
    })),
  );
  return {
    text,
    document: document as unknown as YamlText['document'],
    problems: [...inParts, ...repeated],
    links: createLinks([]),
    broken: faulty.map((part) => ({ start: part.start, end: part.end })),
  };
}

function listOf({ start, end }: JsonList, items: readonly YamlPart[]): YAMLSeq {
  const list = new YAMLSeq();
  list.flow = true;
  list.range = [start, end, end];
  list.items = items.flatMap(({ node }) => node ?? []);
  return list;
}
