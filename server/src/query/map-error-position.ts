import { endOfDoubled } from '../model/quoted-text.ts';
import type { SourceRange } from '../model/source-range.ts';
import type { CompiledQuery, SqlFragment } from './compiled-query.ts';

/**
 * The place in the YAML that an engine's position (UTF-16 offset into `query.sql`) stands for: the word at that place of
 * the user's SQL, or the whole of a name that the query was built from. Text that ends too early is complained about at
 * whatever comes next, so a position right behind the user's SQL means its last word. Undefined for text of our own.
 */
export function mapErrorPosition(
  query: Pick<CompiledQuery, 'sql' | 'fragments' | 'references'>,
  position: number,
): SourceRange | undefined {
  const inside = query.fragments.find(
    ({ offset, source }) => position >= offset && position < offset + source.value.length,
  );
  if (inside) return wordAt(inside, position - inside.offset);
  const reference = query.references.find(({ offset, length }) => position >= offset && position < offset + length);
  if (reference) return reference.range;
  const before = query.fragments.find(({ offset, source }) => {
    const end = offset + source.value.length;
    return source.value !== '' && position >= end && /^\s*$/.test(query.sql.slice(end, position));
  });
  return before && wordAt(before, lastWordStart(before.source.value));
}

/** A 1-based position in code points, as PostgreSQL counts, as a UTF-16 offset from the start of `text`. */
export function codePointsToUtf16(text: string, position: number): number {
  let offset = 0;
  for (let passed = 1; passed < position && offset < text.length; passed += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

function wordAt({ source }: SqlFragment, at: number): SourceRange {
  const length = wordLength(source.value, at) || 1;
  const start = source.sourceOffsets[at] ?? source.range.start;
  const end = source.sourceOffsets[at + length] ?? source.range.end;
  return { start, end: Math.max(start, end) };
}

/** UTF-16 length of the name, literal, number or operator that starts at a place of some SQL; 0 at its end. */
export function wordLength(sql: string, at: number): number {
  const quotedEnd = sql[at] === '"' || sql[at] === "'" ? endOfDoubled(sql, at) : undefined;
  if (quotedEnd !== undefined) return quotedEnd - at;
  const length = runLength(sql, at, /[^\p{L}\p{N}\p{M}_$]/gu) || runLength(sql, at, /[^<>=!~|&+*/%^#@-]/gu);
  if (length > 0) return length;
  const [character = ''] = sql.slice(at, at + 2);
  return character.length;
}

/** How many characters there are up to the first that `other` finds: to repeat a class would remember each step of a long text. */
function runLength(sql: string, at: number, other: RegExp): number {
  other.lastIndex = at;
  return Math.max(0, (other.exec(sql)?.index ?? sql.length) - at);
}

/** Where the last word of some SQL starts. */
export function lastWordStart(sql: string): number {
  const end = sql.trimEnd().length;
  const lengthOf = (last: RegExp, at: number): number => last.exec(sql.slice(Math.max(at - 2, 0), at))?.[0].length ?? 0;
  let start = end;
  for (let length = 1; length > 0; start -= length) length = lengthOf(/[\p{L}\p{N}\p{M}_$]$/u, start);
  return start === end ? end - lengthOf(/[^]$/u, end) : start;
}
