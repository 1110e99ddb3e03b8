import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { CellValue, CastFailure } from '../connector.ts';

/** Text before the core query in `cappedSql`. */
export const wrapPrefix = 'SELECT * FROM (\n';

/** The statement of a preview: one row more than `limit` shows whether there are more. */
export function cappedSql(query: CompiledQuery, limit: number): string {
  return `${wrapPrefix}${query.sql}\n) AS q LIMIT ${limit + 1}`;
}

/** Converts a text expression to a value expression that is NULL for invalid texts; undefined for text columns. */
export type TryCast = ((text: string) => string) | undefined;

/**
 * A preview query over data objects with text columns: each row has the values of the core query's columns, then the
 * invalid texts, each NULL if the value is valid.
 */
export function lenientSql(query: CompiledQuery, casts: readonly TryCast[], limit: number): string {
  const texts = casts.map((_, index) => `c${index + 1}`);
  const values = casts.map((cast, index) => `${cast?.(`c${index + 1}`) ?? `c${index + 1}`} AS v${index + 1}`);
  const others = casts.map((cast, index) => {
    const text = `c${index + 1}`;
    return `${cast ? `CASE WHEN ${cast(text)} IS NULL THEN ${text} END` : 'NULL'} AS t${index + 1}`;
  });
  return `SELECT ${[...values, ...others].join(', ')} FROM (\n${query.sql}\n) AS q(${texts.join(', ')}) LIMIT ${limit + 1}`;
}

/**
 * The rows of `lenientSql` as rows of a preview: a text that cannot be cast is shown unchanged and listed as a cast
 * failure.
 */
export function withCastFailures(
  rows: readonly (readonly CellValue[])[],
  width: number,
): { readonly rows: readonly (readonly CellValue[])[]; readonly castFailures: readonly CastFailure[] } {
  const castFailures: CastFailure[] = [];
  const shown = rows.map((cells, row) =>
    cells.slice(0, width).map((value, column) => {
      const text = cells[width + column] ?? null;
      if (value !== null || text === null) return value;
      castFailures.push({ row, column });
      return text;
    }),
  );
  return { rows: shown, castFailures };
}
