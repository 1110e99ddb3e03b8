import type { ObjectRead } from '../../query/compiled-query.ts';
import { translateFilters, keyCondition } from '../../query/servicenow-filter.ts';
import type { JsonShape } from '../fetched/record-source.ts';
import type { ServiceNowConfig } from './config.ts';
import { namedFields, type PagedRead } from './read-pages.ts';
import { fieldOf, requestedDisplayValue } from './record-cells.ts';

/** How the records of a read are asked for. */
export function pagedRead(config: ServiceNowConfig, { dataObject, columns, filters, keys }: ObjectRead): PagedRead {
  return {
    table: dataObject,
    branches: translateFilters(filters, dataObject, columns).branches,
    fields: [...new Set(columns.map(({ name }) => fieldOf(name, config.displayValue)))],
    displayValue: requestedDisplayValue(config.displayValue),
    pageSize: config.pageSize,
    ...(keys && { conditions: [keyCondition(keys.column, keys.values) ?? ''] }),
  };
}

/** How regular pages of a table are sent: with the fields that are asked for, raw. */
export function jsonShape(config: ServiceNowConfig, read: ObjectRead): JsonShape | undefined {
  if (config.displayValue !== 'false' || !namedFields(pagedRead(config, read))) return undefined;
  return { list: 'result', fields: read.columns.map(({ name }) => name) };
}
