import type { SourceRange } from '../source-range.ts';
import type { DividedText, TextPart } from './divided-text.ts';
import type { MeaningChange, MeaningPath } from './meaning-change.ts';
import type { TextEdit } from './text-edit.ts';
import { Unwritable } from './unwritable.ts';

/** A text with some parts omitted, with the meaning of the rest. */
export interface Excerpt {
  readonly text: string;
  /** Maps an offset of the whole text; the start of a gap for omitted text. */
  offsetInExcerpt(offset: number): number;
  /** Maps an edit of the whole text; undefined if it changes omitted text. */
  inExcerpt(edit: TextEdit): TextEdit | undefined;
  /** Maps an edit of the excerpt to the whole text. @throws Unwritable if its side of a gap is ambiguous. */
  inWhole(edit: TextEdit): TextEdit;
  /** Maps a change of data to the excerpt. */
  changeInExcerpt(change: MeaningChange): MeaningChange;
  /** Whether a top-level key was omitted. */
  isLeftOut(key: string): boolean;
  /** The indexes of included entries of a list; undefined for undivided ones. */
  entriesOf(key: string): readonly number[] | undefined;
}

/** The complete text. */
export function wholeText(text: string): Excerpt {
  return {
    text,
    offsetInExcerpt: (offset) => offset,
    inExcerpt: (edit) => edit,
    inWhole: (edit) => edit,
    changeInExcerpt: (change) => change,
    isLeftOut: () => false,
    entriesOf: () => undefined,
  };
}

export function excerptOf(text: string, { parts }: DividedText, isKept: (part: TextPart) => boolean): Excerpt {
  const gaps: SourceRange[] = [];
  const entries = new Map<string, number[]>();
  const leftOut = new Set<string>();
  const heads = new Set<string>();
  for (const part of parts) {
    const kept = part.isEnd ? heads.has(part.key) : isKept(part);
    if (part.index === undefined && kept) heads.add(part.key);
    if (part.index === undefined && !kept) leftOut.add(part.key);
    if (part.index !== undefined) {
      const known = entries.get(part.key) ?? [];
      if (kept) known.push(part.index);
      entries.set(part.key, known);
    }
    if (kept) continue;
    const last = gaps.at(-1);
    if (last?.end === part.start) gaps.splice(-1, 1, { start: last.start, end: part.end });
    else gaps.push({ start: part.start, end: part.end });
  }
  if (gaps.length === 0) return wholeText(text);
  const pieces: string[] = [];
  /** Position of each gap in the excerpt, and the total length of gaps before it. */
  const seams: { readonly at: number; readonly left: number }[] = [];
  let [from, left] = [0, 0];
  for (const { start, end } of gaps) {
    pieces.push(text.slice(from, start));
    const at = start - left;
    left += end - start;
    seams.push({ at, left });
    from = end;
  }
  pieces.push(text.slice(from));

  const offsetInExcerpt = (offset: number): number =>
    offset - gaps.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, offset) - start), 0);
  const offsetInWhole = (offset: number): number => offset + (seams.findLast(({ at }) => at <= offset)?.left ?? 0);
  const placeOf = (path: MeaningPath): MeaningPath => {
    const [key, index, ...rest] = path;
    const known = typeof key === 'string' && typeof index === 'number' ? entries.get(key) : undefined;
    if (!known || key === undefined || index === undefined) return path;
    // The position after the last entry does not exist yet.
    const place = known.findIndex((each) => each >= Number(index));
    return [key, place < 0 ? known.length : place, ...rest];
  };

  return {
    text: pieces.join(''),
    offsetInExcerpt,
    inExcerpt({ range, newText }) {
      if (gaps.some(({ start, end }) => range.start <= end && start <= range.end)) return undefined;
      return { range: { start: offsetInExcerpt(range.start), end: offsetInExcerpt(range.end) }, newText };
    },
    inWhole({ range, newText }) {
      if (seams.some(({ at }) => range.start <= at && at <= range.end)) throw new Unwritable('a change at a gap');
      return { range: { start: offsetInWhole(range.start), end: offsetInWhole(range.end) }, newText };
    },
    changeInExcerpt: (change) => ({ ...change, path: placeOf(change.path) }),
    isLeftOut: (key) => leftOut.has(key),
    entriesOf: (key) => entries.get(key),
  };
}
