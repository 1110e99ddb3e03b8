import type { ObjectRead } from '../../../query/compiled-query.ts';
import type { JsonShape } from '../../fetched/record-source.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { isOfMoney } from './money.ts';
import { namedFields, type PagedRead } from './page-parameters.ts';
import { isOfView } from './page-parts.ts';
import { filterForMs, keyCondition, translateFilters, type TranslatedFilters } from './translate-filters.ts';
import { fieldOf, requestedDisplayValue } from './record-cells.ts';

/** The pages of a read. */
export function pagedRead(config: ServiceNowConfig, read: ObjectRead): PagedRead {
  const { dataObject, columns, keys } = read;
  const { branches } = encodedFilters(config, read);
  return {
    table: dataObject,
    branches: isOfView(read) && !isRepeatable(branches, columns.length) ? [] : branches,
    fields: [...new Set(columns.map((column) => fieldOf(column, config.displayValue)))],
    displayValue: requestedDisplayValue(config.displayValue),
    pageSize: config.pageSize,
    ...(keys && { conditions: [keyCondition(keys.column, keys.values) ?? ''] }),
  };
}

/** Length limit of a view's filter per key, because each key repeats it: URLs are limited to 8 KB. */
const longestRepeated = 600;

function isRepeatable(branches: readonly string[], columns: number): boolean {
  return columns < 100 && branches.join('^NQ').length <= longestRepeated;
}

/** The filters of a read for their period of use, which includes the next imports when records are cached. */
export function encodedFilters(
  { incremental, fullEveryMs }: ServiceNowConfig,
  { dataObject, columns, filters, at = Date.now() }: ObjectRead,
): TranslatedFilters {
  const forMs = filterForMs + (incremental ? fullEveryMs : 0);
  return translateFilters(filters, dataObject, columns, { from: at, forMs });
}

/** Shape of raw pages of a table: the requested fields, stored values. */
export function jsonShape(config: ServiceNowConfig, read: ObjectRead): JsonShape | undefined {
  if (config.displayValue !== 'false' || isOfView(read) || !namedFields(pagedRead(config, read))) return undefined;
  // Number and currency are in one text.
  if (read.columns.some(isOfMoney)) return undefined;
  return { list: 'result', fields: read.columns.map(({ name }) => name) };
}
