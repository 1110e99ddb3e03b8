import { sourceKind } from '../connectors/source-kinds.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { SqlJudge } from '../language/sql/sql-judge.ts';
import type { DataSources } from '../model/data-sources.ts';

let postgresql: Promise<SqlJudge> | undefined;

/**
 * The judge for the SQL of a data source, as rules take it; empty when there is none for its kind. PostgreSQL's parser is
 * loaded on first use and stays; DuckDB's is too heavy for the process that follows keystrokes, so it is handed in.
 */
export async function sqlJudgeOf(
  dataSource: string | undefined,
  sources: DataSources | undefined,
  duckdb?: SqlJudge,
): Promise<{ readonly sqlJudge?: SqlJudge }> {
  const kind = sources?.sources.find(({ name }) => name.value === dataSource)?.kind?.value;
  const dialect = sourceKind(kind)?.dialect;
  const parser = dialect === undefined ? undefined : dialectNamed(dialect).validator.parser;
  switch (parser) {
    case 'embedded engine':
      return duckdb ? { sqlJudge: duckdb } : {};
    case 'libpg-query':
      postgresql ??= import('./postgresql-judge.ts').then(({ loadPostgresqlJudge }) => loadPostgresqlJudge());
      return { sqlJudge: await postgresql };
    case undefined:
      return {};
  }
}
