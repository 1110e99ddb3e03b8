import { SourceError } from '../source-error.ts';
import type { Session } from './session.ts';

/** A schema of ours says so in its comment: no other is ever replaced or dropped. */
export const graphSchemaMarker = 'Graph built by Entity Graph';

/** Where the graph that was there before is kept. */
export function previousSchema(schema: string): string {
  return `${schema}__previous`;
}

/** Of a schema's name: what tells whether it is ours. */
export const schemaCommentSql =
  "SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = $1";

/** Whether there is a schema of this name, and whether an import has made it. */
export async function graphSchema(
  session: Session,
  schema: string,
  signal: AbortSignal | undefined,
): Promise<'absent' | 'ours' | 'not ours'> {
  const [found] = await session.rows<{ comment: string | null }>(schemaCommentSql, [schema], signal);
  if (!found) return 'absent';
  return found.comment?.startsWith(graphSchemaMarker) ? 'ours' : 'not ours';
}

/** Of the schema's name: whether nobody else builds in it. */
export const lockSchemaSql = "SELECT pg_try_advisory_xact_lock(hashtextextended('entity-graph ' || $1, 0)) AS free";

/** Keeps other imports off a schema until the transaction ends. Rejects when one is building in it. */
export async function lockGraphSchema(
  session: Session,
  schema: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [lock] = await session.rows<{ free: boolean }>(lockSchemaSql, [schema], signal);
  if (lock?.free === false) {
    throw new SourceError('source-failed', `The schema ${schema} is being built by another import.`, {
      remedy: 'Wait until that has finished.',
    });
  }
}
