import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import { queryRefusal } from '../database-server/query-refusal.ts';
import type { SourceError } from '../source-error.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { emptyStatement } from './copy-statement.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { beginPreview } from './session-setup.ts';
import { openSession } from './session.ts';

/**
 * Validates each query on the server without reading rows, in separate read-only transactions: the reason of its
 * rejection, or undefined. Rejects when the server is unreachable.
 */
export async function checkQueries(
  config: PostgresqlConfig,
  explain: ExplainError,
  queries: readonly CompiledQuery[],
  { signal }: OperationOptions,
): Promise<readonly (SourceError | undefined)[]> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  const refusals: (SourceError | undefined)[] = [];
  try {
    for (const query of queries) {
      await session.run(beginPreview, signal);
      refusals.push(await queryRefusal(session.texts(emptyStatement(query), signal)));
      await session.run('ROLLBACK;', signal);
    }
    return refusals;
  } finally {
    await session.close();
  }
}
