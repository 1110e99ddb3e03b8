import type { ObjectRead } from '../../query/compiled-query.ts';
import { filterForMs, keyCondition, translateFilters, type TranslatedFilters } from '../../query/servicenow-filter.ts';
import type { JsonShape } from '../fetched/record-source.ts';
import type { ServiceNowConfig } from './config.ts';
import { namedFields, type PagedRead } from './read-pages.ts';
import { fieldOf, requestedDisplayValue } from './record-cells.ts';

/** How the records of a read are asked for. */
export function pagedRead(config: ServiceNowConfig, read: ObjectRead): PagedRead {
  const { dataObject, columns, keys } = read;
  return {
    table: dataObject,
    branches: encodedFilters(config, read).branches,
    fields: [...new Set(columns.map(({ name }) => fieldOf(name, config.displayValue)))],
    displayValue: requestedDisplayValue(config.displayValue),
    pageSize: config.pageSize,
    ...(keys && { conditions: [keyCondition(keys.column, keys.values) ?? ''] }),
  };
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
  if (config.displayValue !== 'false' || !namedFields(pagedRead(config, read))) return undefined;
  return { list: 'result', fields: read.columns.map(({ name }) => name) };
}
