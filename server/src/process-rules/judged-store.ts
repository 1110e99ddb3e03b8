import { isDuckDbError, type StatementOptions, type StoreReader } from '../store/duckdb-store.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { judgedGraphTables } from './judged-graph-tables.ts';

/** A graph that is judged by rules, in a store or in its data source. */
export interface JudgedStore {
  /** Rejects as `query` does. */
  tables(options: StatementOptions): Promise<JudgedGraphTables>;
  /** The rows of a statement; numbers may be texts. After a failed statement, the graph is unchanged and readable. */
  query(sql: string, options: StatementOptions): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * The mistake in the SQL of a rule, if it may have caused the failure. Undefined for failures of the graph itself.
   */
  mistakeOf(error: unknown): SqlMistake | undefined;
}

export interface SqlMistake {
  readonly message: string;
  /** A column that the graph does not have. */
  readonly missingColumn?: string | undefined;
}

/** The graph of a store on this machine. */
export function judgedStore(store: StoreReader): JudgedStore {
  return {
    tables: (options) => judgedGraphTables(store, options),
    query: (sql, options) => store.query(sql, options),
    mistakeOf(error) {
      if (!isDuckDbError(error) || !ofTheSql.includes(error.failure.kind)) return undefined;
      const { kind, name, message } = error.failure;
      return { message, missingColumn: kind === 'column-missing' ? name : undefined };
    },
  };
}

/** Failures that the SQL of a rule can cause; others are of the store. */
const ofTheSql: readonly string[] = ['column-missing', 'table-missing', 'type-mismatch', 'syntax', 'other'];
