import { dialectNamed } from '../dialects/index.ts';
import type { SqlDialect } from '../catalog/catalog.ts';
import type { Problem } from '../model/problem.ts';
import type { LocatedSql } from '../model/source-range.ts';
import { hasSql, sqlTokens, type SqlToken } from './sql-tokens.ts';
import { sliceSql } from './sql-writer.ts';

/** SQL of the user without trailing white space; undefined when it contains only white space and comments. */
export function usableSql(sql: LocatedSql | undefined): LocatedSql | undefined {
  if (!sql || !hasSql(sql.value)) return undefined;
  return sliceSql(sql, 0, sql.value.trimEnd().length);
}

/**
 * Why SQL of the user cannot be part of a larger statement: it would end the statement, close an outer parenthesis, or
 * leave a literal, comment or parenthesis open.
 * @param dialect undefined if unknown: then the common lexical rules apply.
 */
export function containmentProblems(sql: LocatedSql | undefined, dialect: SqlDialect | undefined): readonly Problem[] {
  if (!sql) return [];
  if (sql.value.includes('\0')) return [problem(sql, sql.value.indexOf('\0'), 'The SQL contains the character NUL.')];
  const open: SqlToken[] = [];
  for (const token of sqlTokens(sql.value, dialect === undefined ? undefined : dialectNamed(dialect).lexis)) {
    if (!token.closed) return [problem(sql, token.start, `This ${nounOf[token.kind]} is never closed.`)];
    if (token.kind !== 'symbol') continue;
    if (token.text === ';') return [problem(sql, token.start, 'A semicolon would end the query. Remove it.')];
    if (token.text.startsWith('/*')) {
      return [problem(sql, token.start, 'The server would execute what this comment contains. Remove it.')];
    }
    if (token.text === '(') open.push(token);
    else if (token.text === ')' && !open.pop()) {
      return [problem(sql, token.start, 'This parenthesis has no opening one. Remove it.')];
    }
  }
  const unclosed = open.at(-1);
  return unclosed ? [problem(sql, unclosed.start, 'This parenthesis is never closed. Close it.')] : [];
}

const nounOf = {
  word: 'word',
  quoted: 'quoted name',
  literal: 'text literal',
  comment: 'comment',
  symbol: 'sign',
} as const satisfies Record<SqlToken['kind'], string>;

function problem(sql: LocatedSql, at: number, message: string): Problem {
  const start = sql.sourceOffsets[at] ?? sql.range.start;
  const end = Math.max(start + 1, Math.min(sql.sourceOffsets[at + 1] ?? sql.range.end, start + 1));
  return { code: 'sql-not-contained', severity: 'error', message, range: { start, end } };
}
