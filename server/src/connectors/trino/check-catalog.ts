import { trino } from '../../dialects/trino.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import type { Session } from './session.ts';

/** Connectors whose tables are Iceberg's, in Trino and in its distributions. */
const capable = /iceberg|lakehouse|objectstore/;

/**
 * Rejects with a `SourceError` for a catalog of another connector, where a build would fail late: its tables lack types of
 * the build, or the row that names the published run cannot be changed. A catalog that the server does not show is left to
 * the statements that use it.
 */
export async function checkCatalog(session: Session, catalog: string, signal: AbortSignal | undefined): Promise<void> {
  const [row] = await session
    .rows(`SELECT connector_name FROM system.metadata.catalogs WHERE catalog_name = ${trino.literals.quote(catalog)}`, {
      signal,
    })
    .catch((error: unknown) => {
      if (isSourceError(error) && (error.code === 'permission-denied' || error.code === 'sql-error')) return [];
      throw error;
    });
  const connector = row?.[0];
  if (typeof connector !== 'string' || capable.test(connector)) return;
  throw new SourceError(
    'source-config',
    `Graphs are built as Iceberg tables, and the catalog ${catalog} is of the connector ${connector}.`,
    { remedy: 'Name a catalog of Iceberg under import.catalog, or use engine: embedded.' },
  );
}
