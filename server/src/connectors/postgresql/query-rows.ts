import { executedSql } from './error-position.ts';
import type { Session } from './session.ts';

/** The rows of one statement, by the names of columns. Values are texts as sent by the server. */
export async function queryRows(
  session: Session,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { fields, rows } = await session.texts(executedSql('', sql, ''), signal);
  return rows.map((row) => Object.fromEntries(fields.map(({ name }, index) => [name, row[index] ?? null])));
}

/** Queries rows within a savepoint, so that the transaction stays usable after a failure. */
export async function attemptQuery(
  session: Session,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await session.run('SAVEPOINT attempt', signal);
  try {
    const rows = await queryRows(session, sql, signal);
    await session.run('RELEASE SAVEPOINT attempt', signal);
    return rows;
  } catch (error) {
    // After a lost connection, the first error explains more than this one.
    await session.run('ROLLBACK TO SAVEPOINT attempt', undefined).catch(() => undefined);
    throw error;
  }
}
