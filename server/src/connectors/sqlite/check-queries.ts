import type { CompiledQuery } from '../../query/compiled-query.ts';
import { SqliteError } from '../../store/sqlite-reader/sqlite-reader.ts';
import type { OperationOptions } from '../connector.ts';
import { isSourceError, type SourceError } from '../source-error.ts';
import type { SqliteConfig } from './read-settings.ts';
import { queryFailure } from './errors.ts';
import { openSession } from './session.ts';

/** Why SQLite rejects each query, or undefined; they are prepared, not run. Rejects when the file cannot be read. */
export async function checkQueries(
  config: SqliteConfig,
  queries: readonly CompiledQuery[],
  { signal }: OperationOptions,
): Promise<readonly (SourceError | undefined)[]> {
  const { reader } = await openSession(config, signal);
  const refusals: (SourceError | undefined)[] = [];
  try {
    for (const query of queries) {
      const refusal = await reader.request('columns', { sql: query.sql }, signal).then(
        () => undefined,
        (error: unknown) => {
          const explained = error instanceof SqliteError ? queryFailure(error, query, config.path) : error;
          if (isSourceError(explained)) return explained;
          throw explained;
        },
      );
      refusals.push(refusal);
    }
    return refusals;
  } finally {
    reader.close();
  }
}
