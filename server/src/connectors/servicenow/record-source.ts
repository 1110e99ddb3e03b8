import type { QueryPurpose } from '../connector.ts';
import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import { keyCondition, translateFilter } from '../../query/servicenow-filter.ts';
import type { RecordSource } from '../fetched/record-source.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { examine } from './examine.ts';
import { httpStep } from './http-step.ts';
import { introspect } from './introspect.ts';
import { sysparms } from './parameters.ts';
import { joined, pageParameters } from './read-pages.ts';
import { changeReader } from './read-changes.ts';
import { scriptedPath } from './scripted-api.ts';
import { endpointRequest, readEndpoint } from './scripted-records.ts';
import { pagedRead, tableRecords } from './table-records.ts';

/** An instance as a source of records. `secrets` grows with the tokens that are handed out. */
export function serviceNowRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  secrets: Iterable<string>,
): RecordSource {
  const endpoint = (name: string) => config.scripted.find((each) => each.name === name);
  const isTable = (name: string): boolean => endpoint(name) === undefined;
  return {
    kind: 'servicenow',
    name: config.name,
    timeZone: config.timeZone,
    ...(config.statementTimeoutMs !== undefined && { statementTimeoutMs: config.statementTimeoutMs }),
    secrets,
    describe: (options) => introspect(config, client, options),
    examine: (options) => examine(config, client, options),
    ...(config.incremental && { changes: changeReader(config, client, isTable) }),
    requests(read, purpose) {
      const scripted = endpoint(read.dataObject);
      if (scripted) return [endpointRequest(config, scripted, scriptedPath(scripted))];
      return tableRequests(config, read, purpose);
    },
    selectsKeys: (column, values) => keyCondition(column, values) !== undefined,
    records(read, options) {
      const scripted = endpoint(read.dataObject);
      return scripted ? readEndpoint(client, scripted, read, options) : tableRecords(config, client, read, options);
    },
    close: () => client.close(),
  };
}

/** The first request of each kind; what changes from page to page is said in the title. */
function tableRequests(config: ServiceNowConfig, read: ObjectRead, purpose: QueryPurpose): readonly QueryStep[] {
  const paged = pagedRead(config, read);
  const filters = (read.filters ?? []).map((filter) => translateFilter(filter, read.dataObject, read.columns));
  const local = filters.flatMap((filter) => filter.local);
  const now = ['now', ...(config.version === undefined ? [] : [config.version])];
  const query = joined(paged.branches, []).join('^');
  const wanted = purpose.kind === 'preview' && read.leads ? purpose.limit + 1 : Infinity;
  const firstPage = { limit: Math.min(paged.pageSize, wanted), counted: true };
  const list = {
    path: [...now, 'table', paged.table],
    parameters: sysparms(pageParameters(paged, firstPage)),
  };
  const stats = {
    path: [...now, 'stats', paged.table],
    parameters: sysparms({ count: true, ...(query !== '' && { query }) }),
  };
  const conditions = query === '' ? 'all of them' : `those with ${query}`;
  const rest = local.length > 0 ? `; left to the core query: ${local.join(' AND ').replace(/\s+/g, ' ')}` : '';
  const { link, leads } = read;
  const part =
    purpose.kind === 'preview' && link && !leads
      ? `; a preview asks for those whose ${link.column} is the ${link.by} of a fetched record of ${link.of}`
      : '';
  const title = `Records of ${read.dataObject}, ${conditions}, page by page: further pages ask for sys_id> the last one's, large tables are read in ranges of sys_id${part}${rest}`;
  const records = httpStep(title, config, list);
  if (purpose.kind === 'preview') return [records];
  return [records, httpStep('Count of these records, to find out whether all arrived', config, stats)];
}
