import type { CompiledQuery } from '../../query/compiled-query.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import { mysqlLexis } from '../../dialects/mysql/lexis.ts';

/** A statement as sent, with the position of the core SELECT. */
export interface ExecutedSql {
  readonly text: string;
  readonly core: string;
  /** UTF-16 offset of `core` in `text`. */
  readonly coreOffset: number;
  /** The places of custom SQL in `core`. */
  readonly fragments: CompiledQuery['fragments'];
}

/** Inserts the core SELECT between two generated texts. */
export function executedSql(before: string, query: CompiledQuery, after: string): ExecutedSql {
  const { sql: core, fragments } = query;
  return { text: `${before}${core}${after}`, core, coreOffset: before.length, fragments };
}

/**
 * The offset in the core SELECT of an error. The server reports none, but a syntax error quotes the text from the error
 * on, and other messages contain a name. That text is searched in custom SQL; if it occurs several times, the error
 * gets the whole of that SQL. Undefined if it is not found.
 */
export function positionOf(message: string, executed: ExecutedSql): ErrorPlace | undefined {
  const near = /near '([^]*)' at line (\d+)\s*$/.exec(message);
  if (near) return placeAt(positionOfText(near[1] ?? '', Number(near[2]), executed));
  const name = namePatterns.map((pattern) => pattern.exec(message)?.[1]).find((found) => found !== undefined);
  return name === undefined ? undefined : positionOfName(name, executed);
}

interface ErrorPlace {
  /** UTF-16 offset in the core SELECT. */
  readonly position: number;
  /** Length of the whole custom SQL; absent for a single word. */
  readonly length?: number;
}

function placeAt(position: number | undefined): ErrorPlace | undefined {
  return position === undefined ? undefined : { position };
}

/** Messages of the server that name a part of the statement. */
const namePatterns: readonly RegExp[] = [
  /^Unknown column '([^']*)'/,
  /^Column '([^']*)' in .* is ambiguous/,
  /^Table '([^']*)' doesn't exist/,
  /^Unknown table '([^']*)'/,
  /^FUNCTION (\S+) does not exist/,
  /(?:to native function|in the call to native function) '([^']*)'/,
  /command denied to user \S+ for (?:table|column) [`']?([^`']*)/,
];

function positionOfText(rest: string, line: number, { text, core, coreOffset }: ExecutedSql): number | undefined {
  if (rest === '') return core.length;
  const places: number[] = [];
  for (let at = text.indexOf(rest); at >= 0; at = text.indexOf(rest, at + 1)) {
    if (lineOf(text, at) === line) places.push(at);
  }
  const [place] = places;
  if (place === undefined) return undefined;
  const offset = place - coreOffset;
  if (offset < 0) return undefined;
  return Math.min(offset, core.length);
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function positionOfName(name: string, { core, fragments }: ExecutedSql): ErrorPlace | undefined {
  const parts = name.split('.').map((part) => part.toLowerCase());
  const found = fragments.map(({ offset, source }) => ({
    whole: { position: offset, length: source.value.length },
    places: placesOf(parts, source.value).map((at) => offset + at),
  }));
  const clauses = found.filter(({ places }) => places.length > 0);
  const [clause] = clauses;
  if (!clause) {
    const [only, ...others] = placesOf(parts, core);
    return others.length === 0 ? placeAt(only) : undefined;
  }
  const [only, ...others] = clause.places;
  return clauses.length === 1 && others.length === 0 ? placeAt(only) : clause.whole;
}

/** Offsets of the last part of a name, for each place where it occurs with matching qualifiers. */
function placesOf(parts: readonly string[], sql: string): readonly number[] {
  const tokens = sqlTokens(sql, mysqlLexis).filter(({ kind }) => kind !== 'comment');
  return tokens.flatMap(({ kind, text, start }, index) => {
    if ((kind !== 'word' && kind !== 'quoted') || text.toLowerCase() !== parts.at(-1)) return [];
    const [qualifier, dot] = [tokens[index - 2], tokens[index - 1]];
    const isQualified = dot?.text === '.';
    const expected = parts.at(-2);
    if (!isQualified) return expected === undefined || parts.length > 1 ? [start] : [];
    return expected === undefined || qualifier?.text.toLowerCase() === expected ? [qualifier?.start ?? start] : [];
  });
}
