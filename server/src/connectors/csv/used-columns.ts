import type { CompiledQuery, RelationshipQuery } from '../../query/compiled-query.ts';
import type { PlanColumn } from './plan-types.ts';

/** DuckDB plans all columns of a view for each statement that uses it, which counts where there are more. */
const few = 100;

/**
 * The columns of a data object that a query may use, or none if that is not known: its own SQL names each of them in
 * quotes, while custom SQL may use `*`, or a whole row.
 */
export function usedColumns(
  columns: readonly PlanColumn[],
  query: CompiledQuery & Partial<Pick<RelationshipQuery, 'valueMatches'>>,
): ReadonlySet<string> | undefined {
  if (columns.length <= few || query.fragments.length > 0) return undefined;
  const { sql, texts = [], valueMatches = [] } = query;
  const names = new Set([
    ...[sql, ...valueMatches.map((match) => match.sql)].flatMap(quotedNames),
    ...texts.map(({ column }) => column.toLowerCase()),
  ]);
  const used = columns.flatMap(({ name }) => (names.has(name.toLowerCase()) ? [name] : []));
  return new Set(used.length > 0 ? used : columns.slice(0, 1).map(({ name }) => name));
}

/** The quoted identifiers of a statement in lower case. */
function quotedNames(sql: string): readonly string[] {
  const tokens = sql.matchAll(/'(?:[^']|'')*'|"((?:[^"]|"")*)"/g);
  return [...tokens].flatMap(([, name]) => name?.replaceAll('""', '"').toLowerCase() ?? []);
}
