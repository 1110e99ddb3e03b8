import type { SqlDialect } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import { sqlTokens } from './sql-tokens.ts';

/**
 * Words that a subquery may begin with. DuckDB's need no `SELECT`: `(FROM orders)`, `(TABLE orders)` and `(SUMMARIZE
 * orders)` are subqueries as well.
 */
const beginnings =
  /^(select|from|table|values|with|describe|desc|show|summarize|pivot|pivot_wider|unpivot|pivot_longer)$/i;

/** Whether a fragment of SQL may hold a subquery, or is one; true for some that hold none. */
export function mayHaveSubquery(sql: string, dialect: SqlDialect): boolean {
  const tokens = sqlTokens(sql, dialectNamed(dialect).lexis).filter(({ kind }) => kind !== 'comment');
  return tokens.some(({ kind, text }, index) => {
    if (kind !== 'word') return false;
    const before = tokens[index - 1];
    const begins = before === undefined || (before.kind === 'symbol' && before.text === '(');
    return /^select$/i.test(text) || (begins && beginnings.test(text));
  });
}
