import { Document, type Node, type ParsedNode, YAMLMap, isAlias } from 'yaml';
import { bisect } from './bisect.ts';
import { type Steps, toEnd } from './steps.ts';
import { type TextChange, changeBetween } from './text-change.ts';
import { createIncrementalJson } from './incremental-json.ts';
import { splitItems, yamlSections } from './yaml-chunks.ts';
import { type Link, type YamlLinks, createLinks } from './yaml-links.ts';
import { YamlPart } from './yaml-part.ts';
import { IncrementalSection } from './incremental-section.ts';
import { mayBeMisplaced } from './misplaced-key.ts';
import { duplicateKey } from './syntax-mistakes.ts';
import { type YamlText, readingYaml, yamlOptions } from './yaml-text.ts';

/**
 * Parses the versions of a YAML document incrementally, by entry. Unchanged entries are moved in place: results of
 * earlier calls become invalid.
 */
interface IncrementalYaml {
  /** @param change the replaced range since the last call, if known. */
  parse(text: string, change?: TextChange): YamlText;
  /** Parses in steps. A started parse must be completed before anything else. */
  reading(text: string, change?: TextChange): Steps<YamlText>;
}

/** @param most maximum number of tokens parsed at once: larger parts are skipped with a problem. */
export function createIncrementalYaml(most = Infinity): IncrementalYaml {
  let last: Read | undefined;
  const json = createIncrementalJson(most);

  function* reading(text: string, known?: TextChange): Steps<YamlText> {
    const change = last && (known ?? changeBetween(last.text, text));
    const sectionsNow = last && change && (yield* changeInPlace(last.sections, text, change, most));
    const sections = sectionsNow ?? (yield* sectionsOf(text, last?.sections ?? [], most));
    last = sections && { text, sections, links: settledLinks(sections, last?.links) };
    return last ? compose(last) : ((yield* json.reading(text)) ?? (yield* readingYaml(text, most)));
  }

  return { reading, parse: (text, change) => toEnd(reading(text, change)) };
}

function* sectionsOf(
  text: string,
  before: readonly IncrementalSection[],
  most: number,
): Steps<readonly IncrementalSection[] | undefined> {
  const sections = yamlSections(text);
  if (!sections) return undefined;
  yield;
  const readPart = reusableParts(before, most);
  const read: IncrementalSection[] = [];
  for (const section of sections) {
    const head = yield* readPart(section.start, section.items?.[0]?.start ?? section.end, text);
    const items: YamlPart[] = [];
    for (const { start, end } of section.items ?? []) {
      items.push(yield* readPart(start, end, text));
      yield;
    }
    read.push(new IncrementalSection(section, head, section.items && items));
  }
  return read;
}

/** A text that was parsed in parts. */
interface Read {
  readonly text: string;
  readonly sections: readonly IncrementalSection[];
  readonly links: YamlLinks;
}

/** Whether a section is the list announced by its first line. */
function isListOf({ key, items, head }: IncrementalSection, name: string): boolean {
  return !key && items !== undefined && new RegExp(`^${name}:`, 'm').test(head.text);
}

/** Entries may have been reordered: parts are matched by text. */
function reusableParts(sections: readonly IncrementalSection[], most: number): ReadPart {
  const known = new Map<string, YamlPart[]>();
  for (const part of sections.flatMap(({ head, items }) => [head, ...(items ?? [])])) {
    const same = known.get(part.text);
    if (same) same.push(part);
    else known.set(part.text, [part]);
  }
  return function* (start, end, text) {
    const piece = text.slice(start, end);
    const part = known.get(piece)?.pop();
    if (!part) return yield* YamlPart.reading(piece, start, most);
    part.start = start;
    return part;
  };
}

/** The part with the text from `start` to `end`, cached or parsed. */
type ReadPart = (start: number, end: number, text: string) => Steps<YamlPart>;

/**
 * Updates sections after a change within one of them by parsing only changed entries, or the content of its key.
 * Undefined without effect if the change extends further, so that the whole text must be parsed.
 */
function* changeInPlace(
  sections: readonly IncrementalSection[],
  text: string,
  change: TextChange,
  most: number,
): Steps<readonly IncrementalSection[] | undefined> {
  if (sections.some(({ isTentative }) => isTentative)) return undefined;
  const { from, until, distance } = change;
  const at = sections.findIndex(({ start, end }) => start < from && until < end);
  const section = sections[at];
  if (!section) return undefined;
  const changed = section.items
    ? yield* changeInList(section, text, change, most)
    : yield* changedKey(section, text, distance, most);
  if (!changed) return undefined;
  for (const after of sections.slice(at + 1)) after.move(distance);
  return sections.with(at, changed);
}

/** The list with its changed entries. */
function* changeInList(
  section: IncrementalSection,
  text: string,
  { from, until, distance }: TextChange,
  most: number,
): Steps<IncrementalSection | undefined> {
  const items = section.items ?? [];
  // Text typed directly after an entry may belong to it.
  const first = lastBefore(items, from);
  const last = firstBeyond(items, until);
  const [firstItem, lastItem] = [items[first], items[last]];
  if (!firstItem || !lastItem) return undefined;
  const region = text.slice(firstItem.start, lastItem.end + distance);
  const split = splitItems(region, firstItem.start, section.indent);
  if (!split || (region !== '' && !region.endsWith('\n') && lastItem.end !== section.end)) return undefined;
  const parts: YamlPart[] = [];
  for (const { start, end } of split) parts.push(yield* YamlPart.reading(text.slice(start, end), start, most));
  section.replace(first, last + 1, parts, distance);
  return section;
}

/** A field that is not a list of entries is parsed again with its content. */
function* changedKey(
  { start, end }: IncrementalSection,
  text: string,
  distance: number,
  most: number,
): Steps<IncrementalSection | undefined> {
  const region = text.slice(start, end + distance);
  const [only, ...others] = yamlSections(region) ?? [];
  if (only?.start !== 0 || others.length > 0) return undefined;
  // The meaning of a line may depend on the next one.
  if (only.items || only.isTentative || mayBeMisplaced(region)) return undefined;
  return new IncrementalSection({ start, end: end + distance }, yield* YamlPart.reading(region, start, most));
}

/** The last entry that starts before an offset; -1 without one. */
function lastBefore(items: readonly YamlPart[], offset: number): number {
  return bisect(items.length, (index) => (items[index]?.start ?? 0) < offset) - 1;
}

/** The first entry that ends after an offset. */
function firstBeyond(items: readonly YamlPart[], offset: number): number {
  return bisect(items.length, (index) => (items[index]?.end ?? 0) <= offset);
}

/**
 * Resolves the aliases of a text. Entries whose aliases changed are parsed again, repeatedly, because they may contain
 * anchors.
 * @param before the previous alias targets.
 */
function settledLinks(sections: readonly IncrementalSection[], before: YamlLinks | undefined): YamlLinks {
  for (;;) {
    const linked = sections.flatMap((section) => section.linked());
    const links = createLinks(linked.flatMap((part) => part.links));
    const isStale = (link: Link): boolean =>
      isAlias(link) && before?.has(link) === true && before.target(link) !== links.target(link);
    const stale = new Set(linked.filter((part) => part.links.some(isStale)));
    // Newly parsed parts have new aliases.
    if (stale.size === 0) return links;
    for (const section of sections) section.readAgain(stale);
  }
}

function compose({ text, sections, links }: Read): YamlText {
  const root = new YAMLMap();
  const faulty = sections.flatMap((section) => section.faulty());
  const problems = faulty.flatMap((part) =>
    part.problems.map(({ range, ...problem }) => ({
      ...problem,
      range: { start: range.start + part.start, end: range.end + part.start },
    })),
  );
  const keys = new Set<unknown>();
  // A list with an unreadable key belongs to the file, unless there is another one.
  const found = sections.filter(({ key }) => key && !sections.some((other) => isListOf(other, key)));
  const certain = sections.filter(({ key }) => !key);
  const replaced = new Set<unknown>(found.map(({ key }) => key));
  const ofFile = certain.flatMap((section) => section.pairs()).filter(({ key }) => !replaced.has(key.value));
  for (const pair of [...ofFile, ...found.flatMap((section) => section.pairs())]) {
    const { value: key, range } = pair.key;
    if (key !== null && keys.has(key)) problems.push(duplicateKey(range?.[0] ?? 0, String(key).length));
    keys.add(key);
    root.items.push(pair);
  }
  root.range = [sections[0]?.start ?? 0, sections.at(-1)?.end ?? 0, text.length];
  const document = new Document<ParsedNode>(null, yamlOptions);
  document.contents = (sections.length > 0 ? root : null) as unknown as ParsedNode;
  const broken = [...faulty, ...uncertainParts(sections, faulty, links)]
    .map(({ start, end }) => ({ start, end }))
    .sort((left, right) => left.start - right.start);
  return { text, document: document as unknown as YamlText['document'], problems, links, sections, broken };
}

/** Parts with aliases into unreadable parts, and those with aliases into them in turn. */
function uncertainParts(
  sections: readonly IncrementalSection[],
  faulty: readonly YamlPart[],
  links: YamlLinks,
): readonly YamlPart[] {
  if (faulty.length === 0 || links.aliases.length === 0) return [];
  const names = new Set(
    faulty.flatMap(({ text }) => [...text.matchAll(/&([^\t\r\n ,[\]{}]+)/g)].map(([, name]) => name)),
  );
  const uncertain = new Set<Node>(faulty.flatMap((part) => part.links));
  const isUncertain = (link: Link): boolean => {
    const target = isAlias(link) ? links.target(link) : undefined;
    return isAlias(link) && (!target || uncertain.has(target) || names.has(link.source));
  };
  const found = new Set<YamlPart>();
  const linked = sections.flatMap((section) => section.linked()).filter((part) => !faulty.includes(part));
  for (let more = linked; more.length > 0;) {
    more = linked.filter((part) => !found.has(part) && part.links.some(isUncertain));
    for (const part of more) {
      found.add(part);
      for (const link of part.links) uncertain.add(link);
    }
  }
  return [...found];
}
