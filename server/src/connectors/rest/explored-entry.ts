import type { ApiList, ApiRequest } from '../../../../protocol/api-explorer.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { checkReads, endpointEntry, withQueryAsParameters } from '../endpoints/explored-entry.ts';
import type { ExploredEntry } from '../source-explorer.ts';

/** The settings entry of a list request. Throws `source-config` when it cannot be one. */
export function restEntry(source: DataSource, request: ApiRequest, list: ApiList): ExploredEntry {
  checkReads(request);
  return endpointEntry(source, withQueryAsParameters(request), list, { list: 'endpoints', usualRecords: '' });
}
