import pg from 'pg';
import type { OperationOptions } from '../load-result.ts';
import type { BuiltGraph, BuiltGraphReader } from '../source-build.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { graphSchema } from './graph-schema.ts';
import { attemptQuery } from './query-rows.ts';
import { openSession } from './session.ts';

/**
 * Opens a graph in a read-only transaction with one snapshot; undefined if its schema is gone, or has the graph of another
 * import. Rejects with a `SourceError`.
 */
export async function openGraph(
  config: PostgresqlConfig,
  explain: ExplainError,
  { schema, run }: BuiltGraph,
  { signal }: OperationOptions,
): Promise<BuiltGraphReader | undefined> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: config.statementTimeoutMs ?? 0 });
  try {
    await session.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', signal);
    const isThere = (await graphSchema(session, schema, signal)) === 'ours';
    const found = isThere
      ? await session.rows<{ id: string }>(`SELECT id FROM ${pg.escapeIdentifier(schema)}.run`, [], signal)
      : [];
    if (found[0]?.id === run)
      return {
        query: (sql, options) => attemptQuery(session, sql, options?.signal),
        close: () => session.close(),
      };
    await session.close();
    return undefined;
  } catch (error) {
    await session.close();
    throw error;
  }
}
