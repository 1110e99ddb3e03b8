import type { LocatedSql, SourceRange } from '../model/source-range.ts';
import type { CompiledQuery, SqlFragment, SqlReference } from './compiled-query.ts';

/** Collects SQL text with the positions of custom SQL and names. */
export interface SqlWriter {
  text(sql: string): void;
  /** Appends text for something named at `range` of the YAML. */
  reference(sql: string, range: SourceRange | undefined): void;
  /** Appends custom SQL verbatim. */
  fragment(source: LocatedSql): void;
  /** Inserts an already printed query with its positions. */
  query(printed: Pick<CompiledQuery, 'sql' | 'fragments' | 'references'>): void;
  finish(): Pick<CompiledQuery, 'sql' | 'fragments' | 'references'>;
}

/** A writer with an empty text. */
export function createSqlWriter(): SqlWriter {
  let sql = '';
  const fragments: SqlFragment[] = [];
  const references: SqlReference[] = [];
  return {
    text(more) {
      sql += more;
    },
    reference(more, range) {
      if (range) references.push({ offset: sql.length, length: more.length, range });
      sql += more;
    },
    fragment(source) {
      fragments.push({ offset: sql.length, source });
      sql += source.value;
    },
    query(printed) {
      const start = sql.length;
      const moved = <T extends { readonly offset: number }>(each: T): T => ({ ...each, offset: start + each.offset });
      fragments.push(...printed.fragments.map(moved));
      references.push(...printed.references.map(moved));
      sql += printed.sql;
    },
    finish: () => ({ sql, fragments, references }),
  };
}

/** Part of an SQL text with the source position of each character. */
export function sliceSql(source: LocatedSql, start: number, end: number): LocatedSql {
  if (start === 0 && end === source.value.length) return source;
  return {
    value: source.value.slice(start, end),
    range: source.range,
    /** Offsets are computed lazily, because only errors need them. */
    get sourceOffsets() {
      return source.sourceOffsets.slice(start, end + 1);
    },
  };
}
