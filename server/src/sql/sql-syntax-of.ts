import type { DataSources } from '../model/data-sources.ts';
import type { SqlSyntaxCheck } from '../language/sql/sql-syntax-check.ts';

/** One row a kind of source whose SQL can be parsed here. Parsers load on first use and stay. */
const loaders: Readonly<Record<string, () => Promise<SqlSyntaxCheck>>> = {
  postgresql: async () => (await import('./postgresql-syntax.ts')).loadPostgresqlSyntax(),
};

const loaded = new Map<string, Promise<SqlSyntaxCheck>>();

/** The parser for the SQL of a data source, as rules take it; empty when there is none for its kind. */
export async function sqlSyntaxOf(
  dataSource: string | undefined,
  sources: DataSources | undefined,
): Promise<{ readonly sqlSyntax?: SqlSyntaxCheck }> {
  const kind = sources?.sources.find(({ name }) => name.value === dataSource)?.kind?.value;
  const load = kind === undefined ? undefined : loaders[kind];
  if (kind === undefined || !load) return {};
  const pending = loaded.get(kind) ?? load();
  loaded.set(kind, pending);
  return { sqlSyntax: await pending };
}
