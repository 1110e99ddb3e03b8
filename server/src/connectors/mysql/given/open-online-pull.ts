import type { StagingDatabase } from '../../../store/staging-database.ts';
import type { OperationOptions, Pull } from '../../connector.ts';
import type { GivenData } from '../../given/given-data.ts';
import { CannotRunError } from '../../given/given-rows.ts';
import { onlinePull } from '../../given/online/online-pull.ts';
import { findTableNames } from '../../given/online/find-table-names.ts';
import { serverPreviewTimeoutMs } from '../../preview-timeout.ts';
import type { ExplainError } from '../errors.ts';
import { pullOf } from '../pull.ts';
import type { MysqlConfig } from '../read-settings.ts';
import { type Server, serverName } from '../server.ts';
import { beginPull } from '../session-setup.ts';
import { openSession } from '../session.ts';
import { checkGivenRows } from './check-given-rows.ts';
import { givenTableSql } from './given-table.ts';

/**
 * Runs queries on the server on given rows, in a read-only transaction with the time limit of previews. The session has no
 * default database, so that a table which is not replaced is an error.
 */
export async function openOnlinePull(
  config: MysqlConfig,
  explain: ExplainError,
  data: GivenData,
  staging: StagingDatabase,
  { signal }: OperationOptions,
): Promise<Pull> {
  const session = await openSession({ ...config, databases: [] }, explain, {
    signal,
    statementTimeoutMs: serverPreviewTimeoutMs(config),
  });
  try {
    if (!hasJsonTable(session.server)) {
      throw new CannotRunError(
        `${serverName(session.server)} has no JSON_TABLE, which gives rows to a test: it needs MySQL 8.0.4 or MariaDB 10.6.`,
      );
    }
    await session.run(beginPull, signal);
    const listed = await session.rows<{ readonly name: string }>(databasesSql, [], signal);
    const named = data.catalog.objects.flatMap(({ path }) => (path.length > 1 ? path.slice(0, 1) : []));
    const roots = [...listed.map(({ name }) => name), ...config.databases, ...named, ...systemDatabases];
    const places = { defaults: config.databases.slice(0, 1).map((database) => [database]), roots };
    return onlinePull(pullOf(session, staging), {
      referencesIn: async (query) => findTableNames(query, data, places),
      bodyOf: (object, query) => givenTableSql(object, data, query, session.server),
      checkRows: (object, body, options) => checkGivenRows(session, object, data, body, options),
      // A stored function belongs to a database.
      isUnfoundName: ({ message }) => /No database selected|FUNCTION \S+ does not exist/i.test(message),
    });
  } catch (error) {
    await session.close();
    throw error;
  }
}

const databasesSql = 'SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA';
const systemDatabases = ['information_schema', 'performance_schema', 'mysql', 'sys'];

function hasJsonTable({ version, isMariadb }: Server): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  const number = major * 1e6 + minor * 1e3 + (Number.isNaN(patch) ? 0 : patch);
  return number >= (isMariadb ? 10_006_000 : 8_000_004);
}
