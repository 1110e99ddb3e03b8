import type { ObjectRead } from '../../../query/compiled-query.ts';
import {
  filterForMs,
  keyCondition,
  translateFilters,
  type TranslatedFilters,
} from '../../../query/servicenow-filter.ts';
import { isOfMoney } from '../../../query/servicenow-money.ts';
import type { JsonShape } from '../../fetched/record-source.ts';
import type { ServiceNowConfig } from '../config.ts';
import { namedFields, type PagedRead } from './page-parameters.ts';
import { isOfView } from './page-parts.ts';
import { fieldOf, requestedDisplayValue } from './record-cells.ts';

/** How the records of a read are asked for. */
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

/** Characters that the filter of a view may have for each of its keys, all of which repeat it: addresses are no longer than 8 KB. */
const longestRepeated = 600;

function isRepeatable(branches: readonly string[], columns: number): boolean {
  return columns < 100 && branches.join('^NQ').length <= longestRepeated;
}

/** The filters of a read, as they hold for as long as they may be in use: with what an import has kept, those of the next ones too. */
export function encodedFilters(
  { incremental, fullEveryMs }: ServiceNowConfig,
  { dataObject, columns, filters, at = Date.now() }: ObjectRead,
): TranslatedFilters {
  const forMs = filterForMs + (incremental ? fullEveryMs : 0);
  return translateFilters(filters, dataObject, columns, { from: at, forMs });
}

/** How regular pages of a table are sent: with the fields that are asked for, raw. */
export function jsonShape(config: ServiceNowConfig, read: ObjectRead): JsonShape | undefined {
  if (config.displayValue !== 'false' || isOfView(read) || !namedFields(pagedRead(config, read))) return undefined;
  // Number and currency are parts of one text.
  if (read.columns.some(isOfMoney)) return undefined;
  return { list: 'result', fields: read.columns.map(({ name }) => name) };
}
