import type { CompiledQuery, SqlFragment, SqlReference } from './compiled-query.ts';
import { sliceSql } from './sql-writer.ts';

/** New text for `[start, end)` of an SQL text. */
interface SqlReplacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A changed query. */
export interface ReplacedQuery<Query extends CompiledQuery> {
  readonly query: Query;
  /** The offset in the original SQL of one in the changed SQL; undefined in the text before it. */
  positionOf(position: number): number | undefined;
}

/**
 * Replaces parts of a query and puts a text before it. Positions of custom SQL and names move along, so that errors are
 * still found in the YAML.
 * @param replacements in order, without overlaps
 */
export function replaceInQuery<Query extends CompiledQuery>(
  query: Query,
  before: string,
  replacements: readonly SqlReplacement[],
): ReplacedQuery<Query> {
  let sql = before;
  let read = 0;
  /** The unchanged and the replaced parts. A replaced part maps to the start of the original text. */
  const parts: Part[] = [];
  const add = (text: string, start: number, end: number, isReplaced: boolean): void => {
    if (text === '' && start === end) return;
    parts.push({ at: sql.length, length: text.length, start, end, isReplaced });
    sql += text;
  };
  for (const { start, end, text } of replacements) {
    add(query.sql.slice(read, start), read, start, false);
    add(text, start, end, true);
    read = end;
  }
  add(query.sql.slice(read), read, query.sql.length, false);
  const fragments = query.fragments.flatMap(({ offset, source }): readonly SqlFragment[] =>
    parts.flatMap(({ at, start, end, isReplaced }) => {
      const from = Math.max(start, offset);
      const to = Math.min(end, offset + source.value.length);
      if (isReplaced || from >= to) return [];
      return [{ offset: at + from - start, source: sliceSql(source, from - offset, to - offset) }];
    }),
  );
  const references = query.references.flatMap(({ offset, length, range }): readonly SqlReference[] => {
    const part = parts.find(({ start, end }) => offset >= start && offset < end);
    if (!part) return [];
    return part.isReplaced
      ? [{ offset: part.at, length: part.length, range }]
      : [{ offset: part.at + offset - part.start, length, range }];
  });
  return {
    query: { ...query, sql, fragments, references },
    positionOf(position) {
      if (position >= sql.length) return query.sql.length;
      const part = parts.find(({ at, length }) => position >= at && position < at + length);
      if (!part) return undefined;
      return part.isReplaced ? part.start : part.start + position - part.at;
    },
  };
}

interface Part {
  /** In the changed SQL. */
  readonly at: number;
  readonly length: number;
  /** In the original SQL. */
  readonly start: number;
  readonly end: number;
  readonly isReplaced: boolean;
}
