import { SourceError } from '../source-error.ts';
import type { Session } from './session.ts';

/** Comment of our schemas: no other schema is ever replaced or dropped. */
export const graphSchemaMarker = 'Graph built by Entity Graph';

/** Schema of the previous graph. */
export function previousSchema(schema: string): string {
  return `${schema}__previous`;
}

/** Whether a schema belongs to us, by its comment. */
export const schemaCommentSql =
  "SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = $1";

/** Whether a schema exists, and was created by an import. */
export async function graphSchema(
  session: Session,
  schema: string,
  signal: AbortSignal | undefined,
): Promise<'absent' | 'ours' | 'not ours'> {
  const [found] = await session.rows<{ comment: string | null }>(schemaCommentSql, [schema], signal);
  if (!found) return 'absent';
  return found.comment?.startsWith(graphSchemaMarker) ? 'ours' : 'not ours';
}

/** Advisory lock key of a schema name. */
export const lockSchemaSql = "SELECT pg_try_advisory_xact_lock(hashtextextended('entity-graph ' || $1, 0)) AS free";

/** Locks a schema until the transaction ends. Rejects when another import is building in it. */
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
