import type { Catalog } from '../catalog/catalog.ts';
import { SourceError } from '../connectors/source-error.ts';
import type { SqlMistake, SqlQuestion } from '../language/sql/sql-validator.ts';
import type { SourcesFile } from '../project/open-project.ts';
import type { DuckDbMethods } from './duckdb-methods.ts';
import { ProcessEnded, createOnDemandProcess } from './rpc/child-process.ts';

/** DuckDB in a separate process, started on demand and ended when idle. */
export interface DuckDbClient {
  /** Validates a statement. Rejects when the process cannot answer. */
  askSql(question: SqlQuestion): Promise<readonly SqlMistake[]>;
  /** Reads the catalog of a file source. Rejects with a `SourceError`. */
  describeFiles(sourcesFile: SourcesFile, dataSource: string): Promise<Catalog>;
}

/** Timeout of the validation of a statement, after which the process is killed. */
const sqlPatienceMs = 10_000;

/** Idle timeout: a restart takes a tenth of a second, an idle process 60 MB. */
const idleMs = 120_000;

/** @param programPath the bundle of `duckdb-process.ts`. */
export function createDuckDbClient(programPath: string): DuckDbClient {
  const duckDb = createOnDemandProcess<DuckDbMethods>({ path: programPath }, idleMs);
  return {
    askSql(question) {
      // Statements queued before it are validated first.
      const killAfterMs = sqlPatienceMs + duckDb.unanswered * 20;
      return duckDb.request('sql', question, { killAfterMs }).catch(rejectEnded);
    },
    async describeFiles({ path, text }, dataSource) {
      const answer = await duckDb.request('catalog', { sourcesFile: { path, text }, dataSource }).catch(rejectEnded);
      if ('catalog' in answer) return answer.catalog;
      const { code, message, details } = answer.failure;
      throw new SourceError(code, message, details);
    },
  };
}

function rejectEnded(error: unknown): never {
  if (!(error instanceof ProcessEnded)) throw error;
  throw new SourceError('source-failed', 'The process that reads files ended unexpectedly.');
}
