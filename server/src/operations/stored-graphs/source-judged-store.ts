import { isSourceError } from '../../connectors/source-error.ts';
import type { SourceErrorCode } from '../../connectors/source-error.ts';
import type { BuiltGraphReader } from '../../connectors/source-build.ts';
import type { BuildingDialect } from '../../dialects/dialect.ts';
import { sourceGraphTables } from '../../process-rules/judged-graph-tables.ts';
import type { JudgedStore } from '../../process-rules/judged-store.ts';

/** The graph in its data source. @param path the parts of the name of its schema */
export function sourceJudgedStore(
  { query }: Pick<BuiltGraphReader, 'query'>,
  dialect: BuildingDialect,
  path: readonly string[],
): JudgedStore {
  return {
    tables: (options) => sourceGraphTables((sql) => query(sql, options), dialect, path),
    query,
    mistakeOf(error) {
      if (!isSourceError(error) || !ofTheSql.includes(error.code)) return undefined;
      const { hint } = error.details;
      return { message: hint === undefined ? error.message : `${error.message}. ${hint}` };
    },
  };
}

/** Failures that the SQL of a rule can cause; others are of the source. */
const ofTheSql: readonly SourceErrorCode[] = [
  'column-missing',
  'object-missing',
  'type-mismatch',
  'sql-error',
  'statement-timeout',
];
