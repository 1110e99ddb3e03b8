import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import { isSourceError, type SourceError } from '../source-error.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import { emptyStatement } from './copy-statement.ts';
import type { ExplainError } from './errors.ts';
import { previewTimeoutMs } from './preview.ts';
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
  const session = await openSession(config, explain, { signal, statementTimeoutMs: previewTimeoutMs(config) });
  const refusals: (SourceError | undefined)[] = [];
  try {
    for (const query of queries) {
      await session.run(beginPreview, signal);
      const refusal = await session.texts(emptyStatement(query), signal).then(
        () => undefined,
        (error: unknown) => {
          if (isSourceError(error) && !lost.has(error.code)) return error;
          throw error;
        },
      );
      refusals.push(refusal);
      await session.run('ROLLBACK;', signal);
    }
    return refusals;
  } finally {
    await session.close();
  }
}

/** Failures that make further queries impossible. */
const lost = new Set(['connection-lost', 'source-unreachable', 'authentication-failed', 'tls-failed']);
