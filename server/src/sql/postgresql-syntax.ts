import type { SqlSyntaxCheck } from '../language/sql/sql-syntax-check.ts';
import { codePointsToUtf16 } from '../query/place-error.ts';

/** PostgreSQL's own parser (version 18) as WebAssembly; loaded on first use, some milliseconds. */
export async function loadPostgresqlSyntax(): Promise<SqlSyntaxCheck> {
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return (sql) => {
    try {
      parseSync(sql);
      return undefined;
    } catch (error) {
      return syntaxError(error, sql);
    }
  };
}

interface ParserError {
  readonly message: string;
  /** How many code points stand before the error. */
  readonly sqlDetails?: { readonly cursorPosition?: number };
}

function syntaxError(error: unknown, sql: string): ReturnType<SqlSyntaxCheck> {
  const { message, sqlDetails } = error as ParserError;
  return { message, position: codePointsToUtf16(sql, (sqlDetails?.cursorPosition ?? 0) + 1) };
}
