import type { SqlLexis } from '../standard/lexis.ts';

/** https://github.com/trinodb/trino/blob/476/core/trino-grammar/src/main/antlr4/io/trino/grammar/sql/SqlBase.g4 */
export const trinoLexis: SqlLexis = {
  nameQuotes: '"',
  lineComment: /--/uy,
  executedComment: undefined,
  hasNestedComments: false,
  hasEscapeStrings: false,
  hasDollarQuotes: false,
  word: /[A-Za-z_][A-Za-z0-9_]*/uy,
};
