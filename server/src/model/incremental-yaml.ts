import type { Scalar } from 'yaml';
import { Document, type Node, Pair, type ParsedNode, YAMLMap, YAMLSeq, isMap, isScalar, isSeq } from 'yaml';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';
import { ownText } from './own-text.ts';
import { type YamlSection, editedSections, yamlSections } from './yaml-chunks.ts';
import { type YamlText, duplicateKey, parseYaml } from './yaml-text.ts';

/**
 * Parses the versions of one document, each time only the entries that changed. Entries that stay are moved in place:
 * what an earlier call returned must not be used after the next one.
 */
export interface IncrementalYaml {
  parse(text: string): YamlText;
}

/** A part of the text as it was parsed, its node at the place where it stood last. */
interface Chunk {
  readonly node: Node | null;
  /** Relative to the start of the part. */
  readonly problems: readonly Problem[];
  start: number;
  readonly text: string;
}

export function createIncrementalYaml(): IncrementalYaml {
  let last: { readonly text: string; readonly sections: readonly YamlSection[] } | undefined;
  /** By where they stand in the last text. */
  let chunks = new Map<number, Chunk>();

  return {
    parse(text) {
      const edit = last && editBetween(last.text, text);
      const edited = last && edit && editedSections(last.sections, text, edit);
      const sections = edited ?? yamlSections(text);
      const known = edited && edit ? reuseAround(edit, chunks) : reuseByText(chunks);
      last = sections && { text, sections };
      chunks = new Map();
      if (!sections) return parseYaml(text);
      return compose(text, sections, (start, end) => {
        const chunk = known(start, end, text) ?? parsePart(ownText(text.slice(start, end)));
        moveTo(chunk, start);
        chunks.set(start, chunk);
        return chunk;
      });
    },
  };
}

type FindChunk = (start: number, end: number, text: string) => Chunk | undefined;

/** Parts that the edit does not touch are those that stood there before it. */
function reuseAround(edit: Edit, chunks: ReadonlyMap<number, Chunk>): FindChunk {
  return (start, end) => {
    const before = end <= edit.from;
    if (!before && start < edit.until + edit.distance) return undefined;
    const chunk = chunks.get(before ? start : start - edit.distance);
    return chunk?.text.length === end - start ? chunk : undefined;
  };
}

/** Entries may have been moved about: a part is what it was when its text is. */
function reuseByText(chunks: ReadonlyMap<number, Chunk>): FindChunk {
  const known = new Map<string, Chunk[]>();
  for (const chunk of chunks.values()) {
    const same = known.get(chunk.text);
    if (same) same.push(chunk);
    else known.set(chunk.text, [chunk]);
  }
  return (start, end, text) => known.get(text.slice(start, end))?.pop();
}

interface Edit {
  readonly from: number;
  readonly until: number;
  readonly distance: number;
}

/** What was replaced between two versions, as one edit: `[from, until)` of the old text, which grew by `distance`. */
function editBetween(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  const from = longest(shorter, (length) => before.slice(0, length) === after.slice(0, length));
  const same = longest(
    shorter - from,
    (length) => before.slice(before.length - length) === after.slice(after.length - length),
  );
  return { from, until: before.length - same, distance: after.length - before.length };
}

/** The greatest length that fits, by halving: engines compare long texts much faster than we can their letters. */
function longest(limit: number, fits: (length: number) => boolean): number {
  let low = 0;
  for (let high = limit; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function parsePart(part: string): Chunk {
  const { document, problems } = parseYaml(part);
  return { node: document.contents, problems, start: 0, text: part };
}

type ReadPart = (start: number, end: number) => Chunk;

function compose(text: string, sections: readonly YamlSection[], read: ReadPart): YamlText {
  const root = new YAMLMap();
  const problems: Problem[] = [];
  const broken: SourceRange[] = [];
  const keys = new Set<unknown>();
  for (const section of sections) {
    for (const pair of readSection(section, read, problems, broken)) {
      const key = isScalar(pair.key) ? pair.key.value : undefined;
      if (keys.has(key)) problems.push(duplicateKey((pair.key as Scalar).range?.[0] ?? 0, String(key).length));
      keys.add(key);
      root.items.push(pair);
    }
  }
  const [first, last] = [sections[0]?.start ?? 0, sections.at(-1)?.end ?? 0];
  root.range = [first, last, text.length];
  const document = new Document<ParsedNode>(null, { version: '1.2' });
  document.contents = (sections.length > 0 ? root : null) as unknown as ParsedNode;
  return { text, document: document as unknown as YamlText['document'], problems, broken };
}

function readSection(
  section: YamlSection,
  read: ReadPart,
  problems: Problem[],
  broken: SourceRange[],
): readonly Pair[] {
  const take = (chunk: Chunk): Node | null => {
    if (chunk.problems.length > 0) broken.push({ start: chunk.start, end: chunk.start + chunk.text.length });
    for (const { range, ...problem } of chunk.problems) {
      problems.push({ ...problem, range: { start: range.start + chunk.start, end: range.end + chunk.start } });
    }
    return chunk.node;
  };
  const { items } = section;
  const head = take(read(section.start, items?.[0]?.start ?? section.end));
  if (!isMap(head)) return [];
  // A section has one key; others are what a mistake makes of its lines.
  if (!items) return head.items.slice(0, 1);
  const list = new YAMLSeq();
  let range: [number, number, number] | undefined;
  for (const { start, end } of items) {
    const node = take(read(start, end));
    if (!isSeq(node) || !node.range) continue;
    list.items.push(...node.items);
    range = [range?.[0] ?? node.range[0], node.range[1], node.range[2]];
  }
  list.range = range ?? null;
  return head.items.slice(0, 1).map(({ key }) => new Pair(key, list));
}

/** Shifts all places of a part that now stands elsewhere. */
function moveTo(chunk: Chunk, start: number): void {
  const distance = start - chunk.start;
  if (distance !== 0) shift(chunk.node as PlacedNode | null, distance);
  chunk.start = start;
}

interface PlacedNode {
  readonly range?: [number, number, number] | null;
  readonly items?: readonly (PlacedNode | PlacedPair)[];
}

interface PlacedPair {
  readonly key: PlacedNode | null;
  readonly value: PlacedNode | null;
}

/** Works on what nodes have rather than on what they are: this runs over all of a large file at a keystroke. */
function shift(node: PlacedNode | null, distance: number): void {
  if (node === null) return;
  const { range, items } = node;
  if (range) {
    range[0] += distance;
    range[1] += distance;
    range[2] += distance;
  }
  if (items === undefined) return;
  for (const item of items) {
    if ('key' in item) {
      shift(item.key, distance);
      shift(item.value, distance);
    } else shift(item, distance);
  }
}
