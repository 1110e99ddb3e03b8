import { bisect } from '../bisect.ts';
import { jsonPairs } from '../json-pairs.ts';
import type { SourceRange } from '../source-range.ts';
import { yamlSections } from '../yaml-chunks.ts';
import type { YamlSection } from '../yaml-section.ts';
import { type TextEdit, applyEdits } from './text-edit.ts';

/** A text for edits, with its parse result if available. */
interface EditedText {
  readonly text: string;
  /** The sections it was parsed in. */
  readonly sections?: readonly YamlSection[];
}

/** A part with a meaning independent of the others: a top-level field, or an entry of its list. */
export interface TextPart extends SourceRange {
  /** The top-level key. */
  readonly key: string;
  /** For an entry: its index. Absent for the field, which includes its value unless that is a list of entries. */
  readonly index?: number;
  /** The bracket after the last entry. */
  readonly isEnd?: true;
}

/** A text as its consecutive parts; list entries follow their key. */
export interface DividedText {
  readonly json: boolean;
  readonly parts: readonly TextPart[];
  /** Indentation of dashes by list key. */
  readonly indents: ReadonlyMap<string, number>;
}

/** Undefined when a part may change the meaning of others: the text must then be processed as a whole. */
export function divideText(source: EditedText): DividedText | undefined {
  const { text, sections } = source;
  if (sections) {
    const before = known.get(source);
    if (before) return before;
    const divided = dividedYaml(text, sections);
    if (divided) known.set(source, divided);
    return divided;
  }
  if (/^[\s\ufeff]*\{/.test(text)) return dividedJson(text);
  const found = yamlSections(text);
  return found && dividedYaml(text, found);
}

/** Cached, because several fixes use it. */
const known = new WeakMap<EditedText, DividedText>();

function dividedYaml(text: string, sections: readonly YamlSection[]): DividedText | undefined {
  const parts: TextPart[] = [];
  const indents = new Map<string, number>();
  const known = new Set<string>();
  for (const section of sections) {
    const key = keyOfSection(text, section);
    // With errors or duplicate keys the division is uncertain.
    if (key === undefined || known.has(key) || section.isTentative || section.key) return undefined;
    known.add(key);
    const { start, end, items } = section;
    parts.push({ start, end: items?.[0]?.start ?? end, key });
    if (!items) continue;
    indents.set(key, section.indent ?? 0);
    for (const [index, item] of items.entries()) parts.push({ start: item.start, end: item.end, key, index });
  }
  return parts.length === 0 ? undefined : { json: false, parts, indents };
}

/** The key of a section; undefined in unusual notation. */
function keyOfSection(text: string, { start, end }: SourceRange): string | undefined {
  const firstKey = /^(?:"([^"\\]*)"|'([^']*)'|([A-Za-z][\w.-]*))[ \t]*:(?=[\t\r\n ]|$)/gm;
  firstKey.lastIndex = start;
  const found = firstKey.exec(text);
  if (!found || found.index >= end) return undefined;
  // Only text without a key may precede it.
  if (/^[^\t\r\n #%-]/m.test(text.slice(start, found.index).replace(/^\ufeff/, ''))) return undefined;
  return found[1] ?? found[2] ?? found[3];
}

/** An entry extends to the next one, so that it includes its comma. */
function dividedJson(text: string): DividedText | undefined {
  const pairs = isJson(text) ? jsonPairs(text) : undefined;
  if (!pairs || pairs.length === 0) return undefined;
  const parts: TextPart[] = [];
  const known = new Set<string>();
  for (const [place, { start, end, list }] of pairs.entries()) {
    const key = JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(text.slice(start, end))?.[0] ?? '""') as string;
    if (known.has(key)) return undefined;
    known.add(key);
    const items = list?.items ?? [];
    parts.push({ start, end: items[0]?.start ?? pairs[place + 1]?.start ?? end, key });
    for (const [index, item] of items.entries()) {
      parts.push({ start: item.start, end: items[index + 1]?.start ?? item.end, key, index });
    }
    const last = items.at(-1);
    if (last) parts.push({ start: last.end, end: pairs[place + 1]?.start ?? end, key, isEnd: true });
  }
  return { json: true, parts, indents: new Map() };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The parts touched by edits, or adjacent to them, because new text may become part of them. */
export function partsTouched({ parts }: DividedText, edits: readonly TextEdit[]): ReadonlySet<TextPart> {
  const touched = new Set<TextPart>();
  const last = parts.length - 1;
  for (const { range } of edits) {
    const nearest = bisect(parts.length, (place) => (parts[place]?.end ?? 0) < range.start);
    // Leading and trailing text belongs to the adjacent parts.
    for (let place = Math.min(nearest, last); place <= last; place += 1) {
      const part = parts[place];
      if (!part || (place > 0 && place > nearest && part.start > range.end)) break;
      touched.add(part);
      // Without its first entry a key may have another type.
      const before = part.index === 0 ? parts[place - 1] : undefined;
      if (before) touched.add(before);
    }
  }
  return touched;
}

/** Whether edits keep the division outside of the parts they touch: only these must be parsed again. */
export function keepsDivision(divided: DividedText, text: string, edits: readonly TextEdit[]): boolean {
  const touched = partsTouched(divided, edits);
  if (divided.json) return keepsDivisionOfJson(divided, text, edits, touched);
  const reach = reachOfKeys(divided);
  return windowsOf(divided, touched).every((window) => staysInWindow({ ...divided, reach }, text, edits, window));
}

/** JSON is divided by brackets, so all of it is scanned. */
function keepsDivisionOfJson(
  { parts }: DividedText,
  text: string,
  edits: readonly TextEdit[],
  touched: ReadonlySet<TextPart>,
): boolean {
  const now = dividedJson(applyEdits(text, edits));
  if (!now) return false;
  const placed = new Map(now.parts.map((part) => [part.start, part]));
  const sorted = edits.toSorted((one, other) => one.range.start - other.range.start);
  let [next, distance] = [0, 0];
  return parts.every((part) => {
    for (let edit = sorted[next]; edit && edit.range.end <= part.start; edit = sorted[(next += 1)]) {
      distance += edit.newText.length - (edit.range.end - edit.range.start);
    }
    const same = placed.get(part.start + distance);
    const isSame = same?.key === part.key && same.end - same.start === part.end - part.start;
    return touched.has(part) || (isSame && (same.index === undefined) === (part.index === undefined));
  });
}

/** Consecutive parts, by index. */
interface Window {
  readonly first: number;
  readonly last: number;
}

/** Indexes of the first and the last part of each key. */
function reachOfKeys({ parts }: DividedText): ReadonlyMap<string, Window> {
  const reach = new Map<string, Window>();
  for (const [place, { key }] of parts.entries())
    reach.set(key, { first: reach.get(key)?.first ?? place, last: place });
  return reach;
}

function windowsOf({ parts }: DividedText, touched: ReadonlySet<TextPart>): readonly Window[] {
  const windows: Window[] = [];
  for (const [place, part] of parts.entries()) {
    if (!touched.has(part)) continue;
    const open = windows.at(-1);
    if (open?.last === place - 1) windows.splice(-1, 1, { first: open.first, last: place });
    else windows.push({ first: place, last: place });
  }
  return windows;
}

/**
 * Whether the parts around a window stay the same. Lines depend on preceding ones, so the window is scanned with its
 * neighbours.
 */
function staysInWindow(
  { parts, indents, reach }: DividedText & { readonly reach: ReadonlyMap<string, Window> },
  text: string,
  edits: readonly TextEdit[],
  { first, last }: Window,
): boolean {
  const [above, from, to, below] = [parts[first - 1], parts[first], parts[last], parts[last + 1]];
  if (!from || !to) return false;
  const start = above?.start ?? 0;
  const end = below?.end ?? text.length;
  const inside = edits
    .filter(({ range }) => start <= range.start && range.end <= end)
    .map(({ range, newText }) => ({ range: { start: range.start - start, end: range.end - start }, newText }));
  const after = applyEdits(text.slice(start, end), inside);
  const head = above?.index === undefined ? '' : `${above.key}:\n`;
  const region = head + after;
  const sections = yamlSections(region);
  const now = sections && dividedYaml(region, sections);
  if (!now) return false;
  const isThere = (part: TextPart | undefined, at: number): boolean =>
    !part ||
    now.parts.some(
      (each) =>
        each.start === at &&
        each.end === at + part.end - part.start &&
        each.key === part.key &&
        (each.index === undefined) === (part.index === undefined) &&
        (part.index === undefined || now.indents.get(part.key) === indents.get(part.key)),
    );
  // A new key may duplicate an existing one.
  const isBeside = (key: string): boolean => {
    const places = reach.get(key);
    return places !== undefined && (places.first < first - 1 || places.last > last + 1);
  };
  const own = new Set([above?.key, below?.key]);
  if (now.parts.some(({ key }) => isBeside(key) && !own.has(key))) return false;
  return isThere(above, head.length) && isThere(below, region.length - (below ? below.end - below.start : 0));
}
