import { isSourceError } from '../../connectors/source-error.ts';
import type { SourceErrorCode } from '../../connectors/source-error.ts';
import type { BuiltGraphReader } from '../../connectors/source-build.ts';
import type { JudgedGraphTables, SourceQuery } from '../../process-rules/judged-graph-tables.ts';
import type { JudgedStore } from '../../process-rules/judged-store.ts';

/** The graph in its data source. @param tablesOf asks for its tables */
export function sourceJudgedStore(
  { query }: Pick<BuiltGraphReader, 'query'>,
  tablesOf: (query: SourceQuery) => Promise<JudgedGraphTables>,
): JudgedStore {
  return {
    tables: (options) => tablesOf((sql) => query(sql, options)),
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
