import type { ApiView, KnownColumn } from '../../../../../protocol/api-explorer.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import { currencyCodeType } from '../records/money.ts';
import { displayName } from '../records/record-cells.ts';

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
