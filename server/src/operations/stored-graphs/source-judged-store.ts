import { isSourceError } from '../../connectors/source-error.ts';
import type { SourceErrorCode } from '../../connectors/source-error.ts';
import type { BuiltGraphReader } from '../../connectors/source-build.ts';
import type { SourceQuery } from '../../process-rules/judged-graph-tables.ts';
import type { JudgedGraphTables } from '../../rule-kinds/judged-tables.ts';
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
      const { hint, remedy } = error.details;
      // The remedies of mistakes say what the SQL itself shows; that of a limit names settings.
      const more = error.code === 'statement-too-large' ? remedy : hint;
      return { message: more === undefined ? error.message : `${error.message}. ${more}` };
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
  'statement-too-large',
];
