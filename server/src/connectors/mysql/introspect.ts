import type { CatalogContent } from '../../catalog/catalog.ts';
import type { OperationOptions } from '../connector.ts';
import { buildCatalog } from './build-catalog.ts';
import {
  catalogQueries,
  jsonColumnsQuery,
  type CatalogRows,
  type ColumnRow,
  type DatabaseRow,
  type JsonRow,
  type KeyRow,
  type ObjectRow,
  type StatisticsRow,
} from './catalog-queries.ts';
import type { MysqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { openSession } from './session.ts';

/** Reads the catalog of the configured databases with a constant number of queries. Rejects with a `SourceError`. */
export async function introspect(
  config: MysqlConfig,
  explain: ExplainError,
  { signal, onProgress }: OperationOptions,
): Promise<CatalogContent> {
  onProgress?.(`Connecting to ${config.host}:${config.port}`);
  const session = await openSession(config, explain, { signal, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  try {
    onProgress?.(`Reading the catalog of ${config.databases.join(', ')}`);
    const values = [config.databases];
    const json = jsonColumnsQuery(session.server);
    const rows: CatalogRows = {
      databases: await session.rows<DatabaseRow>(catalogQueries.databases, values, signal),
      objects: await session.rows<ObjectRow>(catalogQueries.objects, values, signal),
      columns: await session.rows<ColumnRow>(catalogQueries.columns, values, signal),
      keys: await session.rows<KeyRow>(catalogQueries.keys, values, signal),
      statistics: await session.rows<StatisticsRow>(catalogQueries.statistics, values, signal),
      json: json === undefined ? [] : await session.rows<JsonRow>(json, values, signal),
    };
    return buildCatalog(config, rows, new Date());
  } finally {
    await session.close();
  }
}
