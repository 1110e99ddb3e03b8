import type { SqlPrinter } from './print-query.ts';

/** DuckDB: its LIKE has no escape character unless one is named; PostgreSQL's has the backslash, so that is named. */
export const duckdbPrinter: SqlPrinter = {
  dialect: 'duckdb',
  operator(operator) {
    const sign = operator === '!=' ? '<>' : operator.toUpperCase();
    return { sign, suffix: operator.endsWith('like') ? " ESCAPE '\\'" : '' };
  },
};
