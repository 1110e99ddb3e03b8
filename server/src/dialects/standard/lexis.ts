/** The lexical rules of a dialect: how its SQL is divided into tokens. Patterns are sticky. */
export interface SqlLexis {
  /** The signs that quote names; doubled inside a name. */
  readonly nameQuotes: string;
  /** Start of a comment that ends with the line. */
  readonly lineComment: RegExp;
  /** Start of a comment whose content the engine executes; undefined without such comments. */
  readonly executedComment: RegExp | undefined;
  readonly hasNestedComments: boolean;
  /** `E'…'`, with a backslash as escape sign. */
  readonly hasEscapeStrings: boolean;
  /** `$tag$…$tag$`. */
  readonly hasDollarQuotes: boolean;
  /** An unquoted word. */
  readonly word: RegExp;
}

/** The common rules of PostgreSQL and DuckDB. */
export const standardLexis: SqlLexis = {
  nameQuotes: '"',
  lineComment: /--/uy,
  executedComment: undefined,
  hasNestedComments: true,
  hasEscapeStrings: true,
  hasDollarQuotes: true,
  word: /[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_$\u0080-\u{10ffff}]*/uy,
};
