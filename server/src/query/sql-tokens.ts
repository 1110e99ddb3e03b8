import { endOfDoubled, endOfEscaped } from '../model/quoted-text.ts';
import { standardLexis, type SqlLexis } from '../dialects/standard/lexis.ts';

/** A lexical unit of SQL text; `start` and `end` are UTF-16 offsets. White space is omitted. */
export interface SqlToken {
  readonly kind: 'word' | 'quoted' | 'literal' | 'comment' | 'symbol';
  readonly start: number;
  readonly end: number;
  /** The unquoted name of a `quoted` identifier, else the token as written. */
  readonly text: string;
  /** False for an unterminated literal, identifier or comment. */
  readonly closed: boolean;
}

/**
 * Tokenises SQL by the lexical rules of a dialect; by default, the common ones of PostgreSQL and DuckDB, with nested block
 * comments, `E'…'` strings (and their continuations) and dollar quotes. Never fails; unterminated tokens are marked. It
 * must never see a literal where the engine sees SQL, because injection checks rely on the tokens.
 */
export function sqlTokens(sql: string, lexis: SqlLexis = standardLexis): readonly SqlToken[] {
  const recent = recentOf.get(lexis) ?? new Map<string, readonly SqlToken[]>();
  recentOf.set(lexis, recent);
  const known = recent.get(sql);
  if (known) return known;
  const tokens = cut(sql, lexis);
  if (sql.length > maxCachedLength) return tokens;
  if (recent.size >= mostRecent) recent.clear();
  recent.set(sql, tokens);
  return tokens;
}

/** A small cache for each dialect, because several rules tokenise the same SQL. */
const recentOf = new WeakMap<SqlLexis, Map<string, readonly SqlToken[]>>();
const mostRecent = 8;
/** Tokens need much more memory than their text. */
const maxCachedLength = 10_000;

function cut(sql: string, lexis: SqlLexis): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let start = 0;
  while (start < sql.length) {
    const length = lengthBefore(otherThanBlank, sql, start);
    if (length > 0) {
      start += length;
      continue;
    }
    const token = tokenAt(sql, start, lexis);
    tokens.push(token);
    start = token.end;
  }
  return tokens;
}

/** Whether the text contains anything besides white space and comments. */
export function hasSql(sql: string): boolean {
  // No comment starts with a letter.
  return startsWithLetter.test(sql) || sqlTokens(sql).some((token) => token.kind !== 'comment');
}

function tokenAt(sql: string, start: number, lexis: SqlLexis): SqlToken {
  if (matchAt(lexis.lineComment, sql, start) > 0) {
    return { kind: 'comment', ...span(sql, start, lengthBefore(lineBreak, sql, start), true) };
  }
  const executed = lexis.executedComment ? matchAt(lexis.executedComment, sql, start) : 0;
  if (executed > 0) return { kind: 'symbol', ...span(sql, start, executed, true) };
  if (sql.startsWith('/*', start)) return blockComment(sql, start, lexis.hasNestedComments);
  const quote = sql[start] ?? '';
  if (lexis.nameQuotes.includes(quote)) {
    const token = quoted(sql, start, endOfDoubled(sql, start));
    const name = token.text.slice(1, token.closed ? -1 : undefined);
    return { kind: 'quoted', ...token, text: name.replaceAll(quote + quote, quote) };
  }
  if (lexis.hasEscapeStrings && matchAt(escapeString, sql, start) > 0)
    return { kind: 'literal', ...quoted(sql, start, endOfEscapeString(sql, start + 1)) };
  if (quote === "'") return { kind: 'literal', ...quoted(sql, start, endOfDoubled(sql, start)) };
  const tagLength = lexis.hasDollarQuotes ? matchAt(dollarTag, sql, start) : 0;
  if (tagLength > 0) {
    const end = sql.indexOf(sql.slice(start, start + tagLength), start + tagLength);
    return { kind: 'literal', ...span(sql, start, end < 0 ? sql.length - start : end + tagLength - start, end >= 0) };
  }
  const word = matchAt(lexis.word, sql, start);
  if (word > 0) return { kind: 'word', ...span(sql, start, word, true) };
  const number = matchAt(digits, sql, start);
  if (number > 0) return { kind: 'literal', ...span(sql, start, number, true) };
  return { kind: 'symbol', ...span(sql, start, matchAt(anyCharacter, sql, start), true) };
}

function quoted(sql: string, start: number, end: number | undefined) {
  return span(sql, start, (end ?? sql.length) - start, end !== undefined);
}

/** Strings separated only by a line break (and comments) are one string with the escapes of the first. */
function endOfEscapeString(sql: string, start: number): number | undefined {
  let end = endOfEscaped(sql, start);
  while (end !== undefined) {
    const next = sql[end] === "'" ? end : nextPart(sql, end);
    if (next === undefined) return end;
    end = endOfEscaped(sql, next);
  }
  return undefined;
}

/** Start of a string continuation after blanks and comments with a line break. */
function nextPart(sql: string, end: number): number | undefined {
  let at = end;
  let isNextLine = false;
  for (;;) {
    const between = lengthBefore(otherThanBlank, sql, at);
    isNextLine ||= /[\n\r]/.test(sql.slice(at, at + between));
    const length = between || (sql.startsWith('--', at) ? lengthBefore(lineBreak, sql, at) : 0);
    if (length === 0) return isNextLine && sql[at] === "'" ? at : undefined;
    at += length;
  }
}

function blockComment(sql: string, start: number, isNested: boolean): SqlToken {
  let depth = 0;
  let at = start;
  while (at < sql.length) {
    if ((isNested || depth === 0) && sql.startsWith('/*', at)) {
      depth += 1;
      at += 2;
    } else if (sql.startsWith('*/', at)) {
      depth -= 1;
      at += 2;
      if (depth === 0) break;
    } else at += 1;
  }
  return { kind: 'comment', ...span(sql, start, at - start, depth === 0) };
}

function span(sql: string, start: number, length: number, closed: boolean) {
  return { start, end: start + length, text: sql.slice(start, start + length), closed };
}

// Module-level, because a pattern in a function is compiled on every call.
const otherThanBlank = /[^ \t\n\r\f\v]/g;
const lineBreak = /[\n\r]/g;
const startsWithLetter = /^[ \t\n\r\f\v]*[A-Za-z]/;
const escapeString = /[eE]'/uy;
const dollarTag = /\$(?:[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*)?\$/uy;
const digits = /[0-9]+(?:\.[0-9]+)?/uy;
const anyCharacter = /[^]/uy;

/** Length of the match of a sticky pattern at `start`; 0 without one. Tests make no arrays of matches. */
function matchAt(pattern: RegExp, sql: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(sql) ? pattern.lastIndex - start : 0;
}

/**
 * Number of characters before the next match of a global pattern for one character. A search, because a pattern that
 * takes all of them keeps each on its stack.
 */
function lengthBefore(pattern: RegExp, sql: string, start: number): number {
  pattern.lastIndex = start;
  return (pattern.test(sql) ? pattern.lastIndex - 1 : sql.length) - start;
}
