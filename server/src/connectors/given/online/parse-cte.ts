import type { SqlToken } from '../../../query/sql-tokens.ts';

/** A common table expression written in a statement, up to the parenthesis that opens its query. */
interface CommonTableExpression {
  /** As written, without quotes. */
  readonly name: string;
  /** Index of the token that opens its query. */
  readonly opens: number;
}

/** Reads `name [(columns)] AS (` at a token; undefined for anything else, such as a function or a session property of Trino. */
export function parseCte(tokens: readonly SqlToken[], start: number): CommonTableExpression | undefined {
  const name = tokens[start];
  if (name?.kind !== 'word' && name?.kind !== 'quoted') return undefined;
  let at = start + 1;
  if (isSymbol(tokens[at], '(')) {
    while (at < tokens.length && !isSymbol(tokens[at], ')')) at += 1;
    at += 1;
  }
  const as = tokens[at];
  if (as?.kind !== 'word' || as.text.toLowerCase() !== 'as' || !isSymbol(tokens[at + 1], '(')) return undefined;
  return { name: name.text, opens: at + 1 };
}

/** Whether the token behind a common table expression begins the query that it is for; MariaDB may have CYCLE there. */
export function beginsQuery(token: SqlToken | undefined): boolean {
  return isSymbol(token, '(') || (token?.kind === 'word' && token.text.toLowerCase() === 'select');
}

function isSymbol(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text;
}
