import type { StagingDatabase } from '../../../store/staging-database.ts';
import type { OperationOptions, Pull } from '../../connector.ts';
import type { GivenData } from '../../given/given-data.ts';
import { onlinePull } from '../../given/online/online-pull.ts';
import { rowsError } from '../../given/online/rows-error.ts';
import { findTableNames } from '../../given/online/find-table-names.ts';
import { serverPreviewTimeoutMs } from '../../preview-timeout.ts';
import type { Cluster } from '../preview.ts';
import { pullOf } from '../pull.ts';
import { openTransaction } from '../session.ts';
import { givenTableSql } from './given-table.ts';

/**
 * Runs queries on the cluster on given rows, in a read-only transaction with the time limit of previews. The session has no
 * catalog, so that a table which is not replaced is an error.
 */
export async function openOnlinePull(
  cluster: Cluster,
  data: GivenData,
  staging: StagingDatabase,
  options: OperationOptions,
): Promise<Pull> {
  const { catalog, schemas, others } = cluster.config;
  const statementTimeoutMs = serverPreviewTimeoutMs(cluster.config);
  const session = await openTransaction({ ...cluster, statementTimeoutMs, hasNoPlace: true }, options);
  try {
    const listed = await session.rows('SHOW CATALOGS', options);
    const named = data.catalog.objects.flatMap(({ path }) => (path.length > 2 ? path.slice(0, 1) : []));
    const roots = [...listed.map(([name]) => String(name)), catalog, ...others.map((each) => each.catalog), ...named];
    const places = { defaults: [...schemas.slice(0, 1).map((schema) => [catalog, schema]), [catalog]], roots };
    return onlinePull(pullOf(session, staging), {
      referencesIn: async (query) => findTableNames(query, data, places),
      bodyOf: (object) => givenTableSql(object, data),
      async checkRows(object, body, given) {
        await session.rows(body, given).catch((error: unknown) => {
          throw rowsError(object, error);
        });
      },
      isUnfoundName: ({ message }) => /(?:Catalog|Schema) must be specified/i.test(message),
    });
  } catch (error) {
    await session.end();
    throw error;
  }
}
