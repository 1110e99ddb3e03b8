import type { SqlMistake, SqlQuestion } from '../language/sql/sql-validator.ts';
import { sqlTokens } from '../query/sql-tokens.ts';
import type { DuckDbFailure } from '../store/duckdb-errors.ts';
import type { SqlChecker } from './sql-checker.ts';

/** Validates a statement with DuckDB, which reports at most one problem. */
export async function answerSql(
  checker: SqlChecker,
  { statement, tables, gives }: SqlQuestion,
): Promise<readonly SqlMistake[]> {
  const failure = await checker.check(statement, tables);
  if (!failure) return gives && tables ? typeMistakes(await checker.typeOf(statement, tables)) : [];
  const mistake = toMistake(failure, statement);
  // Without tables only the syntax can be validated.
  return mistake && (tables || mistake.kind === 'syntax') ? [mistake] : [];
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
