import type { SqlMistake, SqlQuestion } from '../language/sql/sql-validator.ts';
import { sqlTokens } from '../query/sql-tokens.ts';
import type { DuckDbFailure } from '../store/duckdb-errors.ts';
import type { SqlChecker } from './sql-checker.ts';

/** Maximum number of problems of a statement; each costs another validation. */
const maxMistakes = 10;

/**
 * Validates a statement with DuckDB. It stops at the first name that it does not know, so the others are found with
 * that name replaced by NULL.
 */
export async function validateSql(
  checker: SqlChecker,
  { statement, tables, gives }: SqlQuestion,
): Promise<readonly SqlMistake[]> {
  const found: SqlMistake[] = [];
  let rest = blank(statement);
  while (found.length < maxMistakes) {
    const failure = await checker.check(rest.sql, tables);
    if (!failure)
      return found.length === 0 && gives && tables ? typeMistakes(await checker.typeOf(statement, tables)) : found;
    const mistake = toMistake(failure, rest.sql);
    const isName = mistake?.kind === 'column' || mistake?.kind === 'alias';
    // Without tables only the syntax can be validated. With a name replaced, other problems may be due to that.
    if (!mistake || (!tables && mistake.kind !== 'syntax') || (found.length > 0 && !isName)) return found;
    found.push({ ...mistake, position: rest.originOf(mistake.position) });
    const without = isName ? withoutName(rest, mistake.position) : undefined;
    if (!without) return found;
    rest = without;
  }
  return found;
}

/** A statement in which names may have been replaced. */
interface Replaced {
  readonly sql: string;
  /** The offset in the original statement. */
  readonly originOf: (position: number) => number;
}

function blank(sql: string): Replaced {
  return { sql, originOf: (position) => position };
}

/** Replaces the name at a position, with all its parts, by NULL. */
function withoutName({ sql, originOf }: Replaced, position: number): Replaced | undefined {
  const tokens = sqlTokens(sql).filter(({ kind }) => kind !== 'comment');
  const at = tokens.findIndex(({ start, end }) => start <= position && position < end);
  const isName = (index: number): boolean => tokens[index]?.kind === 'word' || tokens[index]?.kind === 'quoted';
  if (!isName(at)) return undefined;
  let [first, last] = [at, at];
  while (tokens[first - 1]?.text === '.' && isName(first - 2)) first -= 2;
  while (tokens[last + 1]?.text === '.' && isName(last + 2)) last += 2;
  const [start, end] = [tokens[first]?.start ?? 0, tokens[last]?.end ?? 0];
  const replaced = 'NULL';
  const after = start + replaced.length;
  return {
    sql: sql.slice(0, start) + replaced + sql.slice(end),
    originOf: (place) => originOf(place < after ? Math.min(place, start) : place - after + end),
  };
}

/** Timestamps of all resolutions, with and without zone, and dates. */
function typeMistakes(type: string | undefined): readonly SqlMistake[] {
  return type === undefined || /^(?:DATE$|TIMESTAMP)/.test(type) ? [] : [{ kind: 'type', position: 0, name: type }];
}

function toMistake({ kind, message, position, name, candidates }: DuckDbFailure, sql: string): SqlMistake | undefined {
  if (position === undefined) return undefined;
  if (kind === 'syntax') return { kind: 'syntax', position, message };
  if (kind === 'table-missing') {
    return name === undefined ? undefined : { kind: 'table', position, name, candidates };
  }
  if (kind === 'column-missing') {
    const alias = /^Referenced table "(.+)" not found!/.exec(message)?.[1];
    if (alias !== undefined) return { kind: 'alias', position, name: alias, candidates: namesIn(message) };
    const column = name ?? /does not have a column named "(.+)"/.exec(message)?.[1];
    if (column === undefined) return undefined;
    const offered = candidates.length > 0 ? candidates : namesIn(message);
    return { kind: 'column', position: wordOffset(sql, position, column), name: column, candidates: offered };
  }
  if (kind === 'type-mismatch' || /Function with name/.test(message)) {
    const [, missing, nearest = ''] = /Function with name "?(\w+)"? .*\nDid you mean "(\w+)"/.exec(message) ?? [];
    const named = missing === undefined ? {} : { name: missing, candidates: [nearest] };
    return { kind: 'other', position, message: (message.split('\n', 1)[0] ?? message).trimEnd(), ...named };
  }
  return undefined;
}

/** `Candidate bindings: : "note", "id"` */
function namesIn(message: string): readonly string[] {
  const list = /Candidate (?:bindings|tables): ?:? ?(.*)$/m.exec(message)?.[1] ?? '';
  return [...list.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name = '']) => name);
}

/** DuckDB points at the alias before the name. */
function wordOffset(sql: string, position: number, name: string): number {
  const tokens = sqlTokens(sql.slice(position)).filter(({ kind }) => kind !== 'comment');
  const [, dot, column] = tokens;
  const isQualified = dot?.text === '.' && column?.text.toLowerCase() === name.toLowerCase();
  return isQualified ? position + column.start : position;
}
