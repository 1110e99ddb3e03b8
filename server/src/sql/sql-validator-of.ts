import type { Dialect } from '../dialects/dialect.ts';
import { sourceKind } from '../connectors/source-kinds.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { SqlValidator } from '../language/sql/sql-validator.ts';
import type { DataSources } from '../model/data-sources.ts';
import { dataSourcesNamed } from '../model/data-sources-used.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import { namesValidator } from './qualified-names.ts';

let postgresql: Promise<SqlValidator> | undefined;

/** The SQL validators of the data sources of a graph. */
interface GraphValidators {
  /** Validator of the file's data source; absent if its kind has none. */
  readonly sqlValidator?: SqlValidator;
  readonly otherValidators: ReadonlyMap<Dialect['name'], SqlValidator>;
}

/**
 * Loads the SQL validators of the data sources that a graph names. PostgreSQL's parser is loaded on first use; DuckDB's is
 * too large for the language server's process, so it is injected.
 */
export async function sqlValidatorsOf(
  graph: EntityGraph,
  sources: DataSources | undefined,
  duckdb?: SqlValidator,
): Promise<GraphValidators> {
  const dialectOf = (dataSource: string | undefined): Dialect['name'] | undefined => {
    const kind = sources?.sources.find(({ name }) => name.value === dataSource)?.kind?.value;
    return sourceKind(kind)?.dialect;
  };
  const own = dialectOf(graph.dataSource?.value);
  const validators = new Map<Dialect['name'], SqlValidator>();
  for (const dialect of new Set([own, ...dataSourcesNamed(graph).map(dialectOf)])) {
    const validator = dialect && (await validatorOf(dialect, duckdb));
    if (validator) validators.set(dialect, validator);
  }
  const sqlValidator = own && validators.get(own);
  return { ...(sqlValidator && { sqlValidator }), otherValidators: validators };
}

function validatorOf(dialect: Dialect['name'], duckdb: SqlValidator | undefined): Promise<SqlValidator | undefined> {
  const parsers = { libpgQuery: loadPostgresql, embeddedEngine: duckdb, namesOnly: namesValidator };
  return dialectNamed(dialect).validator.parser<SqlValidator>(parsers);
}

function loadPostgresql(): Promise<SqlValidator> {
  return (postgresql ??= import('./postgresql-validator.ts').then((module) => module.loadPostgresqlValidator()));
}
