import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { CellValue, CastFailure } from '../connector.ts';

/** Makes the expression of a text the expression of a value, NULL for a text that is none; undefined where text is what is wanted. */
export type TryCast = ((text: string) => string) | undefined;

/**
 * The statement of a preview over data objects whose columns are all text: a row has the values of the core query's columns,
 * then the texts that are none of these, each NULL where there is a value.
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

/** The rows of `lenientSql` as rows of a preview: a text that cannot be cast is shown as it is and listed as a cast failure. */
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
