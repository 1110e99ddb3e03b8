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

/** Timeout of the validation of statements in one message, after which the process is killed. */
const sqlPatienceMs = 10_000;

/** Idle timeout: a restart takes a tenth of a second, an idle process 60 MB. */
const idleMs = 120_000;

/** @param programPath the bundle of `duckdb-process.ts`. */
export function createDuckDbClient(programPath: string): DuckDbClient {
  const duckDb = createOnDemandProcess<DuckDbMethods>({ path: programPath }, idleMs);
  const waiting: AskedSql[] = [];
  let unanswered = 0;

  async function askWaiting(): Promise<void> {
    const asked = waiting.splice(0);
    unanswered += asked.length;
    try {
      // Earlier statements are validated first, so the timeout includes them.
      const killAfterMs = sqlPatienceMs + unanswered * 20;
      const questions = asked.map(({ question }) => question);
      const answers = await duckDb.request('sql', questions, { killAfterMs }).catch(rejectEnded);
      for (const [index, { resolve }] of asked.entries()) resolve(answers[index] ?? []);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    } finally {
      unanswered -= asked.length;
    }
  }

  return {
    askSql: (question) =>
      new Promise((resolve, reject) => {
        // A message costs more than a statement, so statements of the same turn share one.
        if (waiting.length === 0) queueMicrotask(() => void askWaiting());
        waiting.push({ question, resolve, reject });
      }),
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

interface AskedSql {
  readonly question: SqlQuestion;
  readonly resolve: (mistakes: readonly SqlMistake[]) => void;
  readonly reject: (error: unknown) => void;
}
