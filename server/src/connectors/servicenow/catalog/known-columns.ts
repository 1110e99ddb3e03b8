import type { ApiView, KnownColumn } from '../../../../../protocol/api-explorer.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import { currencyCodeType } from '../../../query/servicenow-money.ts';
import { displayName } from '../records/record-cells.ts';

/** The columns of the tables of an instance as it is asked for them: without those that its catalog has beside, for what is shown and for currencies. */
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
          // Where columns hold what is shown, so do these values: a query wants what is stored.
          ...(values && sourceType !== undefined && { values }),
        })),
      ];
    }),
  );
}
