import type { SqlValidator, SqlMistake } from '../language/sql/sql-validator.ts';
import { codePointsToUtf16 } from '../query/map-error-position.ts';
import type { SyntaxTree } from './syntax-tree.ts';
import { unresolvedNames } from './unresolved-names.ts';

/**
 * PostgreSQL's parser (version 18) as WebAssembly, with name resolution on its syntax trees; loaded on first use in
 * some milliseconds.
 */
export async function loadPostgresqlValidator(): Promise<SqlValidator> {
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return ({ statement, tables }) => {
    let tree: SyntaxTree;
    try {
      tree = parseSync(statement) as unknown as SyntaxTree;
    } catch (error) {
      return [syntaxMistake(error, statement)];
    }
    return tables ? unresolvedNames(tree, statement, tables) : [];
  };
}

interface ParserError {
  readonly message: string;
  /** Number of code points before the error. */
  readonly sqlDetails?: { readonly cursorPosition?: number };
}

function syntaxMistake(error: unknown, sql: string): SqlMistake {
  const { message, sqlDetails } = error as ParserError;
  return { kind: 'syntax', message, position: codePointsToUtf16(sql, (sqlDetails?.cursorPosition ?? 0) + 1) };
}
