import type { Catalog } from '../../catalog/catalog.ts';
import { dialectNamed } from '../../dialects/index.ts';
import type { Problem } from '../../model/problem.ts';
import type { LocatedSql, SourceRange } from '../../model/source-range.ts';

/** Quotes a name for SQL of the catalog's dialect, if necessary. */
export function sqlIdentifier(name: string, { dialect }: Pick<Catalog, 'dialect'>): string {
  const { identifiers } = dialectNamed(dialect);
  return identifiers.isBare(name) ? name : identifiers.quote(name);
}

/** Suggested names quoted for their position in custom SQL; none if quotes would need YAML escapes. */
export function nearestIdentifiers(
  nearest: readonly string[],
  range: SourceRange,
  text: string,
  catalog: Pick<Catalog, 'dialect'> | undefined,
): Pick<Problem, 'suggestions' | 'isVerbatim'> {
  if (!catalog) return {};
  const inFlow = isFlowScalar(text, range.start);
  const written = nearest.flatMap((name) => {
    const identifier = sqlIdentifier(name, catalog);
    return identifier !== name && inFlow ? [] : [identifier];
  });
  return written.length > 0 ? { suggestions: written, isVerbatim: true } : {};
}

/** Whether the SQL at an offset may be a plain or quoted scalar: its line starts with a key, or it is in flow style. */
function isFlowScalar(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^\s*(?:- )*["']?(?:where|joins|expression)["']?\s*:|[{[]/.test(line);
}

/**
 * Converts a name in double quotes that is probably a string (the quotes of other languages) to an SQL string at this
 * YAML position. Undefined if it may be a name.
 */
export function textInNameQuotes(name: string, range: SourceRange, sql: LocatedSql, yaml: string): string | undefined {
  const at = sql.sourceOffsets.indexOf(range.start);
  // Anything but a complete double-quoted name stays a name; so do the quotes of the scalar.
  const [, dot] = /^"[^"]*"(\s*\.)?/.exec(sql.value.slice(Math.max(0, at))) ?? [];
  if (at < 0 || sql.value[at] !== '"' || dot !== undefined || /['"\\\r\n]/.test(name)) return undefined;
  if (!isCompared.test(sql.value.slice(0, at))) return undefined;
  return yaml[sql.range.start] === "'" ? `''${name}''` : `'${name}'`;
}

/** Tokens that precede a compared value. */
const isCompared = /(?:[=<>~]|\blike|\bin\s*\((?:\s*(?:"[^"]*"|'[^']*')\s*,)*)\s*$/i;
