import type { CatalogContent } from '../../catalog/catalog.ts';
import type { OperationOptions } from '../connector.ts';
import { buildCatalog } from './build-catalog.ts';
import {
  catalogQueries,
  type CatalogRows,
  type ColumnsRow,
  type ConstraintRow,
  type ObjectRow,
  type SchemaRow,
  type StatisticsRow,
  type TypeRow,
} from './catalog-queries.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import { openSession } from './session.ts';

/** Reads the catalog of the configured schemas with a constant number of queries. Rejects with a `SourceError`. */
export async function introspect(
  config: PostgresqlConfig,
  explain: ExplainError,
  { signal, onProgress }: OperationOptions,
): Promise<CatalogContent> {
  onProgress?.(`Connecting to ${config.host}:${config.port}`);
  const session = await openSession(config, explain, { signal, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  try {
    onProgress?.(`Reading the catalog of ${config.database}`);
    const schemas = [config.schemas];
    const rows: CatalogRows = {
      objects: await session.rows<ObjectRow>(catalogQueries.objects, schemas, signal),
      columns: await session.rows<ColumnsRow>(catalogQueries.columns, schemas, signal),
      types: await session.rows<TypeRow>(catalogQueries.types, schemas, signal),
      constraints: await session.rows<ConstraintRow>(catalogQueries.constraints, schemas, signal),
      statistics: await session.rows<StatisticsRow>(catalogQueries.statistics, schemas, signal),
      schemas: await session.rows<SchemaRow>(catalogQueries.schemas, schemas, signal),
    };
    return buildCatalog(config, rows, new Date());
  } finally {
    await session.close();
  }
}
