import { quoteIdentifier } from '../../query/quote.ts';

/** A temporary table or view of the staging database. */
export interface ScratchRelation {
  readonly kind: 'TABLE' | 'VIEW';
  readonly name: string;
}

/** Lists all temporary tables and views: `kind`, `name`. */
export const scratchRelationsSql = `SELECT 'TABLE' AS kind, table_name AS name FROM duckdb_tables() WHERE temporary
  UNION ALL SELECT 'VIEW', view_name FROM duckdb_views() WHERE temporary AND NOT internal`;

export function dropScratchSql({ kind, name }: ScratchRelation): string {
  return `DROP ${kind} IF EXISTS temp.${quoteIdentifier(name)}`;
}

/** The relations that were created since an earlier listing. Both listings are rows of `scratchRelationsSql`. */
export function newRelations(
  before: readonly Readonly<Record<string, unknown>>[],
  now: readonly Readonly<Record<string, unknown>>[],
): readonly ScratchRelation[] {
  const known = new Set(before.map(({ name }) => String(name)));
  return now.flatMap(({ kind, name }) =>
    known.has(String(name)) ? [] : [{ kind: kind === 'VIEW' ? 'VIEW' : 'TABLE', name: String(name) } as const],
  );
}
