import { stringify } from 'yaml';
import type { SourceRange } from '../source-range.ts';

/** A replacement of part of a text. */
export interface TextEdit {
  readonly range: SourceRange;
  readonly newText: string;
}

/** The text after edits that do not overlap. Put together once: to make a text for each of many takes long. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { range, newText } of edits.toSorted((left, right) => right.range.start - left.range.start).reverse()) {
    pieces.push(text.slice(at, range.start), newText);
    at = Math.max(at, range.end);
  }
  return pieces.join('') + text.slice(at);
}

/** Whether no two edits change the same place, where editors and `applyEdits` may differ in what comes of it. */
export function areApart(edits: readonly TextEdit[]): boolean {
  const sorted = edits.toSorted((one, other) => one.range.start - other.range.start || one.range.end - other.range.end);
  return sorted.every(({ range }, index) => {
    const before = sorted[index - 1]?.range;
    return !before || (before.end <= range.start && (before.start !== range.start || before.end !== range.end));
  });
}

/** Additions at one place as one edit, in their order: editors and `applyEdits` differ in what comes first otherwise. */
export function withOneEditAPlace(edits: readonly TextEdit[]): readonly TextEdit[] {
  const places = new Map<string, TextEdit>();
  for (const { range, newText } of edits) {
    const place = `${range.start} ${range.end}`;
    places.set(place, { range, newText: `${places.get(place)?.newText ?? ''}${newText}` });
  }
  return [...places.values()];
}

/** A text as a scalar that can replace `original`: in the same quotes, or plain where that means the same text. */
export function writtenLike(value: string, original: string): string {
  if (original.startsWith('"')) return JSON.stringify(value);
  if (original.startsWith("'")) return `'${value.replaceAll("'", "''")}'`;
  const plain = stringify(value, { lineWidth: 0, singleQuote: true }).trimEnd();
  // Whether it stands in brackets is not worth finding out: quotes are right in both places.
  return /[,[\]{}]/.test(plain) && !/^['"]/.test(plain) ? `'${value.replaceAll("'", "''")}'` : plain;
}
