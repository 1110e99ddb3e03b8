import type { QueryPurpose } from '../connector.ts';
import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import { filterBranches, keyCondition, translateFilter } from '../../query/servicenow-filter.ts';
import type { Cells, ReadOptions, RecordSource } from '../fetched/record-source.ts';
import { isSourceError } from '../source-error.ts';
import type { CallOptions } from './call-platform.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { httpStep } from './http-step.ts';
import { introspect } from './introspect.ts';
import { keyRanges, mergedPages } from './key-ranges.ts';
import { sysparms } from './parameters.ts';
import { joined, pageParameters, readPages, tookTooLong, type PagedRead, type PageFindings } from './read-pages.ts';
import { cellReader, fieldOf, requestedDisplayValue } from './record-cells.ts';
import { checkComplete } from './check-complete.ts';
import { scriptedPath } from './scripted-api.ts';
import { endpointRequest, readEndpoint } from './scripted-records.ts';

/** An instance as a source of records. `secrets` grows with the tokens that are handed out. */
export function serviceNowRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  secrets: Iterable<string>,
): RecordSource {
  const endpoint = (name: string) => config.scripted.find((each) => each.name === name);
  return {
    kind: 'servicenow',
    name: config.name,
    timeZone: config.timeZone,
    ...(config.statementTimeoutMs !== undefined && { statementTimeoutMs: config.statementTimeoutMs }),
    secrets,
    describe: (options) => introspect(config, client, options),
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

function pagedRead(config: ServiceNowConfig, { dataObject, columns, filters, keys }: ObjectRead): PagedRead {
  return {
    table: dataObject,
    branches: filterBranches(filters, dataObject, columns),
    fields: [...new Set(columns.map(({ name }) => fieldOf(name, config.displayValue)))],
    displayValue: requestedDisplayValue(config.displayValue),
    pageSize: config.pageSize,
    ...(keys && { conditions: [keyCondition(keys.column, keys.values) ?? ''] }),
  };
}

async function* tableRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  { purpose, signal, onProgress, onWarning, wanted }: ReadOptions,
): AsyncGenerator<readonly Cells[], void, undefined> {
  const paged = pagedRead(config, read);
  const options: CallOptions = { signal, onWait: (_, reason) => onProgress?.(reason) };
  const count = purpose === 'import' ? await countRecords(client, paged, options) : undefined;
  const ranges = keyRanges((count ?? 0) / config.pageSize, config.concurrency);
  const expected = count === undefined ? {} : { expected: count / ranges.length };
  const findings: PageFindings = { isHiding: false, isUncounted: false };
  let records = 0;
  const readers = read.columns.map((column) => cellReader(column, config.displayValue));
  const seen = readers.map(() => false);
  // A preview stops at any page, so it has none fetched ahead.
  const pages =
    purpose === 'preview'
      ? readPages(client.tables, { ...paged, ...(wanted !== undefined && { firstPage: wanted }) }, options)
      : mergedPages(
          ranges.map(
            (range) => (session) =>
              readPages(client.tables, { ...paged, ...expected, range }, { ...options, session }, findings),
          ),
          config.concurrency,
        );
  for await (const page of pages) {
    records += page.length;
    yield page.map((record) =>
      readers.map((readCell, index) => {
        const cell = readCell(record);
        if (cell === undefined) return null;
        seen[index] = true;
        return cell;
      }),
    );
  }
  if (purpose !== 'import') return;
  const hidden = records === 0 ? [] : read.columns.filter((_, index) => !seen[index]).map(({ name }) => name);
  if (hidden.length > 0) {
    onWarning(`The user may not read these fields of ${read.dataObject}, so they are empty: ${hidden.join(', ')}.`);
  }
  // Fewer than before may be because some were deleted meanwhile.
  const after = count === undefined || records >= count ? count : await countRecords(client, paged, options);
  checkComplete({ table: read.dataObject, records, findings, before: count, after }, config.onShortfall, onWarning);
}

const countAttempts = 3;

/** Records that the query selects, whatever the user may read; undefined when nobody says. */
async function countRecords(
  client: ServiceNowClient,
  paged: PagedRead,
  options: CallOptions,
): Promise<number | undefined> {
  const query = joined(paged.branches, []).join('^');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.aggregates.count(paged.table, query, options);
    } catch (error) {
      if (isSourceError(error) && error.code === 'permission-denied') break;
      // A busy instance cancels what it can do a moment later.
      if (!tookTooLong(error) || attempt === countAttempts) throw error;
    }
  }
  const parameters = { limit: 1, fields: ['sys_id'], ...(query !== '' && { query }) };
  return (await client.tables.list(paged.table, parameters, options)).totalCount;
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
