import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import { queryRefusal } from '../database-server/query-refusal.ts';
import type { SourceError } from '../source-error.ts';
import type { MysqlConfig } from './read-settings.ts';
import { limitedStatement } from './core-statement.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { openSession } from './session.ts';

/**
 * Validates each query on the server, which prepares it and reads no rows: the reason of its rejection, or undefined.
 * Rejects when the server is unreachable.
 */
export async function checkQueries(
  config: MysqlConfig,
  explain: ExplainError,
  queries: readonly CompiledQuery[],
  { signal }: OperationOptions,
): Promise<readonly (SourceError | undefined)[]> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  const refusals: (SourceError | undefined)[] = [];
  try {
    for (const query of queries) {
      refusals.push(await queryRefusal(session.columnsOf(limitedStatement(query, undefined), signal)));
    }
    return refusals;
  } finally {
    await session.close();
  }
}
