import { stringify } from 'yaml';
import type { SourceRange } from '../source-range.ts';
import { writtenYaml } from '../written-yaml.ts';

/** A replacement of part of a text. */
export interface TextEdit {
  readonly range: SourceRange;
  readonly newText: string;
}

/** Applies edits that do not overlap, in one pass. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { range, newText } of edits.toSorted((left, right) => right.range.start - left.range.start).reverse()) {
    pieces.push(text.slice(at, range.start), newText);
    at = Math.max(at, range.end);
  }
  return pieces.join('') + text.slice(at);
}

/** Whether all edits are at distinct positions, where editors and `applyEdits` agree. */
export function areDisjoint(edits: readonly TextEdit[]): boolean {
  const sorted = edits.toSorted((one, other) => one.range.start - other.range.start || one.range.end - other.range.end);
  return sorted.every(({ range }, index) => {
    const before = sorted[index - 1]?.range;
    return !before || (before.end <= range.start && (before.start !== range.start || before.end !== range.end));
  });
}

/** Combines insertions at one position, whose order editors may otherwise change. */
export function withOneEditAPlace(edits: readonly TextEdit[]): readonly TextEdit[] {
  const places = new Map<string, TextEdit>();
  for (const { range, newText } of edits) {
    const place = `${range.start} ${range.end}`;
    places.set(place, { range, newText: `${places.get(place)?.newText ?? ''}${newText}` });
  }
  return [...places.values()];
}

/** A scalar that can replace `original`: with the same quotes, or plain if equivalent. */
export function writtenLike(value: string, original: string): string {
  if (original.startsWith('"')) return JSON.stringify(value);
  if (original.startsWith("'")) return `'${value.replaceAll("'", "''")}'`;
  const plain = stringify(value, writtenYaml).trimEnd();
  // It may be in flow style, so a text that is only valid in block style is quoted, and so is one that would become a block scalar.
  const isBlock = plain.includes('\n') && !value.includes('\n');
  return (isBlock || /[,[\]{}]/.test(plain)) && !/^['"]/.test(plain) ? `'${value.replaceAll("'", "''")}'` : plain;
}
