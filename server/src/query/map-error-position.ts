import { endOfDoubled } from '../model/quoted-text.ts';
import type { SourceRange } from '../model/source-range.ts';
import type { CompiledQuery, SqlFragment } from './compiled-query.ts';

/**
 * Maps an engine's error position (UTF-16 offset in `query.sql`) to the YAML: a word of custom SQL, or a whole name of
 * the model. Incomplete custom SQL is reported at the token after it, so that position maps to its last word. Undefined
 * for generated text.
 * @param length UTF-16 length of the faulty custom SQL; default: the word at the position
 */
export function mapErrorPosition(
  query: Pick<CompiledQuery, 'sql' | 'fragments' | 'references'>,
  position: number,
  length?: number,
): SourceRange | undefined {
  const inside = query.fragments.find(
    ({ offset, source }) => position >= offset && position < offset + source.value.length,
  );
  if (inside) return wordAt(inside, position - inside.offset, length);
  const reference = query.references.find(({ offset, length }) => position >= offset && position < offset + length);
  if (reference) return reference.range;
  const before = query.fragments.find(({ offset, source }) => {
    const end = offset + source.value.length;
    return source.value !== '' && position >= end && /^\s*$/.test(query.sql.slice(end, position));
  });
  return before && wordAt(before, lastWordStart(before.source.value));
}

/**
 * The custom SQL that an error must come from although its position is in generated text, which is always valid: the last
 * one before it, such as one with an open parenthesis, or the only one where an engine reports no position.
 */
export function fragmentAtFault(
  { fragments }: Pick<CompiledQuery, 'fragments'>,
  position: number | undefined,
): SourceRange | undefined {
  const found =
    position === undefined
      ? fragments.length === 1 && fragments[0]
      : fragments.findLast(({ offset, source }) => source.value !== '' && offset + source.value.length <= position);
  return found ? found.source.range : undefined;
}

/** Converts a 1-based code point position, as in PostgreSQL, to a UTF-16 offset in `text`. */
export function codePointsToUtf16(text: string, position: number): number {
  let offset = 0;
  for (let passed = 1; passed < position && offset < text.length; passed += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

function wordAt({ source }: SqlFragment, at: number, given?: number): SourceRange {
  const length = (given ?? wordLength(source.value, at)) || 1;
  const start = source.sourceOffsets[at] ?? source.range.start;
  const end = source.sourceOffsets[at + length] ?? source.range.end;
  return { start, end: Math.max(start, end) };
}

/** UTF-16 length of the token at an SQL position; 0 at the end. */
export function wordLength(sql: string, at: number): number {
  const quotedEnd = /["'`]/.test(sql[at] ?? '') ? endOfDoubled(sql, at) : undefined;
  if (quotedEnd !== undefined) return quotedEnd - at;
  const length = runLength(sql, at, /[^\p{L}\p{N}\p{M}_$]/gu) || runLength(sql, at, /[^<>=!~|&+*/%^#@-]/gu);
  if (length > 0) return length;
  const [character = ''] = sql.slice(at, at + 2);
  return character.length;
}

/**
 * Number of characters before the first match of `other`; a repeated character class could overflow the stack on long
 * texts.
 */
function runLength(sql: string, at: number, other: RegExp): number {
  other.lastIndex = at;
  return Math.max(0, (other.exec(sql)?.index ?? sql.length) - at);
}

/** Start of the last word of some SQL. */
export function lastWordStart(sql: string): number {
  const end = sql.trimEnd().length;
  const lengthOf = (last: RegExp, at: number): number => last.exec(sql.slice(Math.max(at - 2, 0), at))?.[0].length ?? 0;
  let start = end;
  for (let length = 1; length > 0; start -= length) length = lengthOf(/[\p{L}\p{N}\p{M}_$]$/u, start);
  return start === end ? end - lengthOf(/[^]$/u, end) : start;
}
