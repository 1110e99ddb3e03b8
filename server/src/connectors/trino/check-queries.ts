import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import { isSourceError, type SourceError } from '../source-error.ts';
import { validatingStatement } from './core-statement.ts';
import { previewTimeoutMs, type Cluster } from './preview.ts';
import { openSession } from './session.ts';

/**
 * Validates each query on the server, which analyses it and reads no rows: the reason of its rejection, or undefined.
 * Rejects when the server is unreachable.
 */
export async function checkQueries(
  cluster: Cluster,
  queries: readonly CompiledQuery[],
  { signal }: OperationOptions,
): Promise<readonly (SourceError | undefined)[]> {
  const session = openSession({ ...cluster, statementTimeoutMs: previewTimeoutMs(cluster.config) });
  const refusals: (SourceError | undefined)[] = [];
  for (const query of queries) {
    const refusal = await session.columnsOf(validatingStatement(query), { signal }).then(
      () => undefined,
      (error: unknown) => {
        if (isSourceError(error) && !lost.has(error.code)) return error;
        throw error;
      },
    );
    refusals.push(refusal);
  }
  return refusals;
}

/** Failures that make further queries impossible. */
const lost = new Set(['connection-lost', 'source-failed', 'source-unreachable', 'authentication-failed', 'tls-failed']);
