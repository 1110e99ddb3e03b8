import type { StagingDatabase } from '../../../store/staging-database.ts';
import type { OperationOptions, Pull } from '../../connector.ts';
import type { GivenData } from '../../given/given-data.ts';
import { onlinePull } from '../../given/online/online-pull.ts';
import { serverPreviewTimeoutMs } from '../../preview-timeout.ts';
import type { ExplainError } from '../errors.ts';
import { pullOf } from '../pull.ts';
import type { PostgresqlConfig } from '../read-settings.ts';
import { beginPull } from '../session-setup.ts';
import { openSession } from '../session.ts';
import { postgresqlGivenTables } from './online-tables.ts';

/** Runs queries in the database on given rows, in a read-only transaction with the time limit of previews. */
export async function openOnlinePull(
  config: PostgresqlConfig,
  explain: ExplainError,
  data: GivenData,
  staging: StagingDatabase,
  { signal }: OperationOptions,
): Promise<Pull> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  try {
    await session.run(beginPull, signal);
    return onlinePull(pullOf(session, staging), await postgresqlGivenTables(session, data, config.schemas));
  } catch (error) {
    await session.close();
    throw error;
  }
}
