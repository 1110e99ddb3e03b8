import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import { isSourceError, type SourceError } from '../source-error.ts';
import type { MysqlConfig } from './read-settings.ts';
import { limitedStatement } from './core-statement.ts';
import type { ExplainError } from './errors.ts';
import { previewTimeoutMs } from './preview.ts';
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
  const session = await openSession(config, explain, { signal, statementTimeoutMs: previewTimeoutMs(config) });
  const refusals: (SourceError | undefined)[] = [];
  try {
    for (const query of queries) {
      const refusal = await session.columnsOf(limitedStatement(query, undefined), signal).then(
        () => undefined,
        (error: unknown) => {
          if (isSourceError(error) && !lost.has(error.code)) return error;
          throw error;
        },
      );
      refusals.push(refusal);
    }
    return refusals;
  } finally {
    await session.close();
  }
}

/** Failures that make further queries impossible. */
const lost = new Set(['connection-lost', 'source-unreachable', 'authentication-failed', 'tls-failed']);
