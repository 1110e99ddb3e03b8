import { sourceKind } from '../connectors/source-kinds.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { SqlValidator } from '../language/sql/sql-validator.ts';
import type { DataSources } from '../model/data-sources.ts';
import { namesValidator } from './qualified-names.ts';

let postgresql: Promise<SqlValidator> | undefined;

/**
 * The SQL validator of a data source; empty if its kind has none. PostgreSQL's parser is loaded on first use; DuckDB's
 * is too large for the language server's process, so it is injected.
 */
export async function sqlValidatorOf(
  dataSource: string | undefined,
  sources: DataSources | undefined,
  duckdb?: SqlValidator,
): Promise<{ readonly sqlValidator?: SqlValidator }> {
  const kind = sources?.sources.find(({ name }) => name.value === dataSource)?.kind?.value;
  const dialect = sourceKind(kind)?.dialect;
  if (dialect === undefined) return {};
  const parsers = { libpgQuery: loadPostgresql, embeddedEngine: duckdb, namesOnly: namesValidator };
  const sqlValidator = await dialectNamed(dialect).validator.parser<SqlValidator>(parsers);
  return sqlValidator ? { sqlValidator } : {};
}

function loadPostgresql(): Promise<SqlValidator> {
  return (postgresql ??= import('./postgresql-validator.ts').then((module) => module.loadPostgresqlValidator()));
}
