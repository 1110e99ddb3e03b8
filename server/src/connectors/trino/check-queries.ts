import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import { queryRefusal } from '../database-server/query-refusal.ts';
import type { SourceError } from '../source-error.ts';
import { validatingStatement } from './core-statement.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import type { Cluster } from './preview.ts';
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
  const session = openSession({ ...cluster, statementTimeoutMs: serverPreviewTimeoutMs(cluster.config) });
  const refusals: (SourceError | undefined)[] = [];
  for (const query of queries) {
    const prepared = session.columnsOf(validatingStatement(query), { signal });
    refusals.push(await queryRefusal(prepared, ['source-failed']));
  }
  return refusals;
}
