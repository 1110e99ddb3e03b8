import type { SqlLexis } from '../standard/lexis.ts';

/** With the `sql_mode` of sessions: ANSI_QUOTES and NO_BACKSLASH_ESCAPES. */
export const mysqlLexis: SqlLexis = {
  nameQuotes: '`"',
  // Two minus signs without a blank behind them are operators.
  lineComment: /#|--(?=[\s\p{Cc}]|$)/uy,
  executedComment: /\/\*M?!/uy,
  hasNestedComments: false,
  hasEscapeStrings: false,
  hasDollarQuotes: false,
  word: /[A-Za-z_$\u0080-\u{10ffff}][A-Za-z0-9_$\u0080-\u{10ffff}]*/uy,
};
