import type { SqlDialect } from '../catalog/catalog.ts';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

/** The form in which two spellings of an identifier are compared: PostgreSQL tells cases apart, DuckDB does not. */
export function identifierKey(name: string, dialect: SqlDialect): string {
  return dialect === 'duckdb' ? lowerAscii(name) : name;
}

/** Every name that SQL text mentions, as `identifierKey` gives it: unquoted words are folded as the dialect folds them. */
export function mentionedNames(sql: string, dialect: SqlDialect): ReadonlySet<string> {
  const tokens = sqlTokens(sql);
  const known = mentioned[dialect].get(tokens);
  if (known) return known;
  const names = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'word') names.add(lowerAscii(token.text));
    else if (token.kind === 'quoted') names.add(identifierKey(token.text, dialect));
  }
  mentioned[dialect].set(tokens, names);
  return names;
}

/** As long as the tokens are known. */
const mentioned: Readonly<Record<SqlDialect, WeakMap<readonly SqlToken[], ReadonlySet<string>>>> = {
  duckdb: new WeakMap(),
  postgresql: new WeakMap(),
};

/** Quoted column names that SQL text reads from one alias, such as `a.b` in `source."a.b"`, in order of first mention. */
export function quotedColumnsOf(alias: string, sql: string): readonly string[] {
  const tokens = sqlTokens(sql).filter((token) => token.kind !== 'comment');
  const columns = tokens.flatMap((token, index) => {
    const [dot, column] = tokens.slice(index + 1, index + 3);
    const isAlias =
      token.kind === 'word' ? lowerAscii(token.text) === alias : token.kind === 'quoted' && token.text === alias;
    return isAlias && dot?.text === '.' && column?.kind === 'quoted' ? [column.text] : [];
  });
  return [...new Set(columns)];
}

/** Both engines fold ASCII letters only, so that names in other scripts stay as written. */
function lowerAscii(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}
