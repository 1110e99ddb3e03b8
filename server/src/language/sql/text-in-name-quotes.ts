import type { LocatedSql, SourceRange } from '../../model/source-range.ts';

/**
 * The text that a name in double quotes is meant for, as SQL in this place of YAML writes it: other languages quote texts so.
 * Undefined where something else than a text may be meant.
 */
export function textInNameQuotes(name: string, range: SourceRange, sql: LocatedSql, yaml: string): string | undefined {
  const at = sql.sourceOffsets.indexOf(range.start);
  // What is no name in double quotes, or part of a longer one, is a name; so are the quotes of a scalar themselves.
  const [, dot] = /^"[^"]*"(\s*\.)?/.exec(sql.value.slice(Math.max(0, at))) ?? [];
  if (at < 0 || sql.value[at] !== '"' || dot !== undefined || /['"\\\r\n]/.test(name)) return undefined;
  if (!isCompared.test(sql.value.slice(0, at))) return undefined;
  return yaml[sql.range.start] === "'" ? `''${name}''` : `'${name}'`;
}

/** What stands before a value that something is compared with. */
const isCompared = /(?:[=<>~]|\blike|\bin\s*\((?:\s*(?:"[^"]*"|'[^']*')\s*,)*)\s*$/i;
