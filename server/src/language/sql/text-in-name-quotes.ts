import type { LocatedSql, SourceRange } from '../../model/source-range.ts';

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
