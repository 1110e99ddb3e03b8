import type { SqlDialect } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import { lowerAscii } from '../dialects/standard/quoting.ts';
import { type SqlToken, sqlTokens } from './sql-tokens.ts';

/** Comparison form of an identifier in a dialect. */
export function identifierKey(name: string, dialect: SqlDialect): string {
  return dialectNamed(dialect).identifiers.key(name);
}

/** All names in an SQL text, as `identifierKey` returns them: unquoted words are folded by the dialect. */
export function mentionedNames(sql: string, dialect: SqlDialect): ReadonlySet<string> {
  const { identifiers, lexis } = dialectNamed(dialect);
  const tokens = sqlTokens(sql, lexis);
  const byDialect = mentioned.get(tokens) ?? new Map<SqlDialect, ReadonlySet<string>>();
  const known = byDialect.get(dialect);
  if (known) return known;
  const names = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'word') names.add(identifiers.fold(token.text));
    else if (token.kind === 'quoted') names.add(identifiers.key(token.text));
  }
  mentioned.set(tokens, byDialect.set(dialect, names));
  return names;
}

/** Cached with the tokens. */
const mentioned = new WeakMap<readonly SqlToken[], Map<SqlDialect, ReadonlySet<string>>>();

/** Quoted column names read from one alias, such as `a.b` in `source."a.b"`, in order of first occurrence. */
export function quotedColumnsOf(alias: string, sql: string, dialect: SqlDialect): readonly string[] {
  const tokens = sqlTokens(sql, dialectNamed(dialect).lexis).filter((token) => token.kind !== 'comment');
  const columns = tokens.flatMap((token, index) => {
    const [dot, column] = tokens.slice(index + 1, index + 3);
    const isAlias =
      token.kind === 'word' ? lowerAscii(token.text) === alias : token.kind === 'quoted' && token.text === alias;
    return isAlias && dot?.text === '.' && column?.kind === 'quoted' ? [column.text] : [];
  });
  return [...new Set(columns)];
}
