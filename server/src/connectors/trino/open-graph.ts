import type { OperationOptions } from '../connector.ts';
import type { BuiltGraph, BuiltGraphReader } from '../source-build.ts';
import { isSourceError } from '../source-error.ts';
import { graphPlace } from './graph-place.ts';
import type { Cluster } from './preview.ts';
import { openSession } from './session.ts';
import { spreadRecords } from './spread-joins.ts';

/**
 * Opens the tables of a run, which never change once published. Undefined if they are gone. Rejects with a
 * `SourceError`.
 */
export async function openGraph(
  cluster: Cluster,
  { schema, run }: BuiltGraph,
  { signal }: OperationOptions,
): Promise<BuiltGraphReader | undefined> {
  const place = graphPlace(cluster.config, schema);
  const settings = { ...cluster, statementTimeoutMs: cluster.config.statementTimeoutMs };
  const session = openSession(settings);
  try {
    const [row] = await session.rows(`SELECT id FROM ${place.name(place.runSchema(run), 'run')}`, { signal });
    if (row?.[0] !== run) return undefined;
  } catch (error) {
    if (isSourceError(error) && error.code === 'object-missing') return undefined;
    throw error;
  }
  const judge = spreadRecords(settings);
  return { query: (sql, options) => judge(sql, options ?? {}), close: async () => undefined };
}
