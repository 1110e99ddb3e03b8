import type { PlanStatement } from '../../query/compiled-query.ts';
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

const [savepointSql, releaseSql, rollbackSql] = [
  'SAVEPOINT attempt',
  'RELEASE SAVEPOINT attempt',
  'ROLLBACK TO SAVEPOINT attempt',
] as const;

/** The statements of `attemptQuery` around that of the caller. */
export const attemptStatements: readonly PlanStatement[] = [
  { title: 'Before each of the following statements', sql: savepointSql },
  { title: 'After it', sql: releaseSql },
  { title: 'After it, if it fails', sql: rollbackSql },
];

/** Queries rows within a savepoint, so that the transaction stays usable after a failure. */
export async function attemptQuery(
  session: Session,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await session.run(savepointSql, signal);
  try {
    const rows = await queryRows(session, sql, signal);
    await session.run(releaseSql, signal);
    return rows;
  } catch (error) {
    // After a lost connection, the first error explains more than this one.
    await session.run(rollbackSql, undefined).catch(() => undefined);
    throw error;
  }
}
