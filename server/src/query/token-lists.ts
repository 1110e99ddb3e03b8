import { sqlTokens, type SqlToken } from './sql-tokens.ts';

/** Consecutive tokens. */
export type Tokens = readonly SqlToken[];

/** The text of a plain SQL literal; undefined for another token. */
export function plainLiteral(token: SqlToken | undefined): string | undefined {
  if (token?.kind !== 'literal' || !token.closed || !token.text.startsWith("'")) return undefined;
  return token.text.slice(1, -1).replaceAll("''", "'");
}

/** Splits at AND or OR outside of parentheses, except for the AND of BETWEEN, and not at OR within AND. */
export function split(tokens: Tokens, word: 'and' | 'or'): readonly Tokens[] {
  if (word === 'and' && hasTopLevel(tokens, 'or')) return [tokens];
  const parts: SqlToken[][] = [[]];
  let depth = 0;
  let betweens = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    if (depth === 0 && isWord(token, 'between')) betweens += 1;
    const isCut = depth === 0 && isWord(token, word);
    if (isCut && word === 'and' && betweens > 0) betweens -= 1;
    else if (isCut) {
      parts.push([]);
      continue;
    }
    parts.at(-1)?.push(token);
  }
  return parts;
}

/** Splits at an operator anywhere. */
export function splitAt(tokens: Tokens, symbol: string): readonly Tokens[] {
  const parts: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.text === symbol && token.kind === 'symbol') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function hasTopLevel(tokens: Tokens, word: string): boolean {
  let depth = 0;
  return tokens.some((token) => {
    depth += depthChange(token);
    return depth === 0 && isWord(token, word);
  });
}

/** Removes enclosing parentheses. */
export function withoutParentheses(tokens: Tokens): Tokens {
  if (tokens[0]?.text !== '(' || tokens.at(-1)?.text !== ')') return tokens;
  let depth = 0;
  const closes = tokens.findIndex((token) => (depth += depthChange(token)) === 0);
  return closes === tokens.length - 1 ? withoutParentheses(tokens.slice(1, -1)) : tokens;
}

/** CASE … END nests like parentheses. */
function depthChange(token: SqlToken): number {
  if (token.kind === 'symbol')
    return token.text === '(' || token.text === '[' ? 1 : token.text === ')' || token.text === ']' ? -1 : 0;
  return isWord(token, 'case') ? 1 : isWord(token, 'end') ? -1 : 0;
}

export function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}

/** The tokens of SQL without comments. */
export function significant(sql: string): Tokens {
  return sqlTokens(sql).filter(({ kind }) => kind !== 'comment');
}

/** The text of tokens. */
export function textOf(tokens: Tokens, sql: string): string {
  return sql.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
}
