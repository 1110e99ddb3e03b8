import type { SourceRange } from '../source-range.ts';
import { type DividedText, type TextPart, divideText, partsTouched } from './divided-text.ts';
import { type EditableYaml, readEditable } from './editable-yaml.ts';
import {
  type EditedText,
  type ReadingLimits,
  readingLimits,
  tooLarge,
  unreadable,
  unreadableReason,
} from './edited-text.ts';
import { type Excerpt, excerptOf, wholeText } from './excerpt.ts';
import type { MeaningChange } from './meaning-change.ts';
import type { TextEdit } from './text-edit.ts';

/** The part of a text parsed for a change, with token positions. */
export interface EditReading {
  readonly excerpt: Excerpt;
  readonly yaml: EditableYaml;
  /** Set if something was omitted. */
  readonly divided?: DividedText | undefined;
}

/** The target of a change. */
interface ChangeScope {
  readonly edits?: readonly TextEdit[];
  readonly changes?: readonly MeaningChange[];
  readonly isAbout?: (part: TextPart) => boolean;
}

/**
 * Parses what a change needs: a short text completely; of a long one, or one with errors elsewhere, the target parts
 * and some neighbours that show the style.
 */
export function readForEdits(
  source: EditedText,
  scope: ChangeScope,
  limits = readingLimits,
): EditReading | { readonly refusal: string } {
  const { text, problems = [] } = source;
  const divided = text.length > limits.short || problems.length > 0 ? divideText(source) : undefined;
  if (!divided && problems.length > 0) return { refusal: unreadableReason(problems) };
  const excerpt = divided ? excerptFor(source, divided, scope, limits) : wholeText(text);
  if (excerpt.text.length > limits.most) return { refusal: tooLarge(excerpt.text.length, limits) };
  const yaml = readEditable(excerpt.text);
  if (yaml.document.errors.length > 0) return { refusal: unreadable };
  return { excerpt, yaml, divided: divided && excerpt.text.length < text.length ? divided : undefined };
}

function excerptFor(
  { text, broken = [] }: EditedText,
  divided: DividedText,
  { edits = [], changes = [], isAbout = () => false }: ChangeScope,
  { context }: ReadingLimits,
): Excerpt {
  const touched = partsTouched(divided, edits);
  const named = partsNamed(divided, changes);
  const linked = partsLinked(text, divided);
  const needed = (part: TextPart): boolean => touched.has(part) || named.has(part) || isAbout(part) || linked.has(part);
  const neededLists = new Set(divided.parts.filter(needed).map(({ key }) => key));
  const isShort = ({ start, end }: SourceRange): boolean => end - start < context;
  const firstEntries = new Map(divided.parts.filter(({ index }) => index === 0).map((part) => [part.key, part]));
  const isRead = ({ start, end }: SourceRange): boolean => !broken.some((part) => start < part.end && part.start < end);
  const isContext = (part: TextPart): boolean => {
    if (!isShort(part) || !isRead(part)) return false;
    const first = firstEntries.get(part.key);
    if (!first) return true;
    // A list needs at least one entry to be a list.
    if (!isShort(first) || !isRead(first)) return false;
    return (part.index ?? 0) < 2;
  };
  return excerptOf(
    text,
    divided,
    (part) => needed(part) || (part.index === undefined && neededLists.has(part.key)) || isContext(part),
  );
}

/** Possible anchors and aliases. */
const link = /(?:^|[\s,:[{])[&*][^\s,[\]{}]/;

/** Parts with anchors or aliases are always included. */
export function partsLinked(text: string, { parts }: DividedText): ReadonlySet<TextPart> {
  return new Set(link.test(text) ? parts.filter(({ start, end }) => link.test(text.slice(start, end))) : []);
}

/** The target parts: entries with their neighbours, or a whole list. */
function partsNamed({ parts }: DividedText, changes: readonly MeaningChange[]): ReadonlySet<TextPart> {
  const named = new Set<TextPart>();
  const byKey = new Map<string, TextPart[]>();
  for (const part of parts) {
    const known = byKey.get(part.key);
    if (known) known.push(part);
    else byKey.set(part.key, [part]);
  }
  for (const { path } of changes) {
    const [key, index] = path;
    const own = byKey.get(String(key)) ?? [];
    const [head, ...entries] = own;
    if (head) named.add(head);
    const around = typeof index === 'number' && entries.length > 0;
    const near = around ? own.slice(Math.max(1, index), index + 3) : entries;
    for (const part of near) named.add(part);
    // Text after the last entry follows it.
    if (around && index >= entries.length && entries.length > 0) named.add(entries.at(-1) as TextPart);
  }
  return named;
}
