import type { CatalogOrigin } from '../catalog/catalog.ts';
import { embeddedDialect } from '../dialects/index.ts';
import type { DataSource } from '../model/data-sources.ts';
import { sourceKind } from './source-kinds.ts';

/**
 * The origin of the catalog of a configured source, also of one that was never read or whose kind is unknown.
 * @param isFetched whether the source is known to fetch its records; default: as its kind does
 */
export function sourceOrigin(
  { name, kind, timeZone }: Pick<DataSource, 'name' | 'kind' | 'timeZone'>,
  isFetched = sourceKind(kind?.value)?.capabilities.isFetched,
): CatalogOrigin {
  const found = sourceKind(kind?.value);
  return {
    dataSource: name.value,
    kind: kind?.value ?? '',
    dialect: found?.dialect ?? embeddedDialect,
    ...(found?.capabilities.hasRowOrder && { hasRowOrder: true }),
    ...(isFetched && { isFetched: true }),
    ...(timeZone !== 'UTC' && { timeZone }),
  };
}
