import type { Operators } from '../dialect.ts';

/** DuckDB's LIKE has no escape character unless one is named; PostgreSQL's has the backslash, so that is named. */
export const duckdbOperators: Operators = {
  comparison(operator) {
    const sign = operator === '!=' ? '<>' : operator.toUpperCase();
    return { sign, suffix: operator.endsWith('like') ? " ESCAPE '\\'" : '' };
  },
};
