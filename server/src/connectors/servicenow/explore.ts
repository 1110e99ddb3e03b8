import type { Catalog } from '../../catalog/catalog.ts';
import type { SourceExplorer } from '../source-explorer.ts';
import { serviceNowConnection } from './connection.ts';
import { instanceEntry } from './explored-entry.ts';
import { usualTables } from './catalog/introspect.ts';
import { knownColumns } from './catalog/known-columns.ts';
import { platformEndpoints } from './platform-endpoints.ts';

/** Lists the APIs of the configured tables or, without them, of those in the catalog. */
export const instanceExplorer: SourceExplorer = {
  async open(source, context, { endpoints, catalog }) {
    const { config, connection, secrets } = await serviceNowConnection(source, context);
    const tables = config.tables ?? knownTables(catalog);
    const proposed = endpoints ? platformEndpoints({ ...config, tables }, [...secrets]) : [];
    const columns = endpoints ? knownColumns(catalog) : {};
    const view = { address: config.instanceUrl.href, endpoints: proposed, columns, warnings: [] };
    return { connection, secrets, view };
  },
  entryOf: (source, request, list, catalog) => instanceEntry(source, request, list, knownTables(catalog)),
};

/** The standard tables of an instance without configured ones. */
function knownTables(catalog: Catalog | undefined): readonly string[] {
  const known = catalog?.objects.filter(({ kind }) => kind === 'table').map(({ name }) => name) ?? [];
  return known.length > 0 ? known : usualTables;
}
