/** Says what is wrong with the syntax of one SQL statement, the first mistake only. Never throws. */
export type SqlSyntaxCheck = (sql: string) => SqlSyntaxError | undefined;

export interface SqlSyntaxError {
  /** The parser's own words. */
  readonly message: string;
  /** UTF-16 offset into the statement. */
  readonly position: number;
}
