import type { ApiView, KnownColumn } from '../../../../protocol/api-explorer.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { SourceExplorer } from '../source-explorer.ts';
import { serviceNowConnection } from './connection.ts';
import { instanceEntry } from './explored-entry.ts';
import { usualTables } from './catalog/introspect.ts';
import { acceptOf, platformEndpoints } from './platform-endpoints.ts';
import { currencyCodeType } from './records/money.ts';
import { displayName } from './records/record-cells.ts';

/** Lists the APIs of the configured tables or, without them, of those in the catalog. */
export const instanceExplorer: SourceExplorer = {
  async open(source, context, { endpoints, catalog }) {
    const { config, connection, secrets } = await serviceNowConnection(source, context);
    const tables = config.tables ?? knownTables(catalog);
    const proposed = endpoints ? platformEndpoints({ ...config, tables }, [...secrets]) : [];
    const columns = endpoints ? knownColumns(catalog) : {};
    const view = { address: config.instanceUrl.href, endpoints: proposed, tablePattern, columns, warnings: [] };
    return { connection, secrets, acceptOf, view };
  },
  entryOf: (source, request, list, catalog) => instanceEntry(source, request, list, knownTables(catalog)),
};

/** Paths of the Table API and the Aggregate API, with or without a version. */
const tablePattern = String.raw`^/api/now/(?:v\d+/)?(?:table|stats)/(\w+)`;

/** The standard tables of an instance without configured ones. */
function knownTables(catalog: Catalog | undefined): readonly string[] {
  const known = catalog?.objects.filter(({ kind }) => kind === 'table').map(({ name }) => name) ?? [];
  return known.length > 0 ? known : usualTables;
}

/**
 * The columns of an instance's tables under their request names, without derived columns for display values and
 * currencies.
 */
export function knownColumns(catalog: Catalog | undefined): NonNullable<ApiView['columns']> {
  const tables = catalog?.objects.filter(({ kind, columns }) => kind === 'table' && columns.length > 0) ?? [];
  return Object.fromEntries(
    tables.map(({ name: table, columns }) => {
      const beside = new Set(columns.map(({ name }) => displayName(name)));
      const own = columns.filter(({ name, sourceType }) => !beside.has(name) && sourceType !== currencyCodeType);
      return [
        table,
        own.map(({ name, type, comment, values, sourceType }): KnownColumn => ({
          name,
          type,
          ...(comment !== undefined && { label: comment }),
          // Choice values of display value columns are display values, but queries need stored ones.
          ...(values && sourceType !== undefined && { values }),
        })),
      ];
    }),
  );
}
