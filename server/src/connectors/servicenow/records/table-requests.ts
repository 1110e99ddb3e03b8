import type { ObjectRead, QueryStep } from '../../../query/compiled-query.ts';
import type { OperationOptions, QueryPurpose } from '../../connector.ts';
import { loginLines, shownAddress } from '../../fetched/login-lines.ts';
import { reportWait } from '../../http/with-retries.ts';
import { type CallOptions, requestUrl } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { type AggregateParameters, type TableParameters, readSysparms } from '../api/parameters.ts';
import { describingRead } from '../catalog/dictionary-rows.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { isTrail } from './check-audit-filter.ts';
import { countParameters, countRecords, newestParameters, newestTime } from './count-records.ts';
import { childTables, deletionsRead } from './deleted-records.ts';
import { hasOthers } from './first-watermark.ts';
import { type PagedRead, joined, pageParameters } from './page-parameters.ts';
import { countedParts, isOfView, partOf, partsWithoutCount, viewParts } from './page-parts.ts';
import { encodedFilters, pagedRead } from './paged-read.ts';
import { changeCount, changedKeysRead, hasMark } from './read-changes.ts';
import { recentRead } from './recent-changes.ts';
import { parseUtcSeconds } from './utc-seconds.ts';
import { type Watermark, changesField, parseWatermark, sinceCondition, timeField } from './watermark.ts';

/**
 * The exact requests of a read: the first of each kind, with variable parts in the title. An import with a watermark
 * requests changes since then; for a large table the count is requested to divide it.
 */
export async function tableRequests(
  { config, client }: { readonly config: ServiceNowConfig; readonly client: ServiceNowClient },
  read: ObjectRead,
  purpose: QueryPurpose,
  markText: string | undefined,
  { signal, onProgress }: OperationOptions = {},
): Promise<readonly QueryStep[]> {
  const paged = pagedRead(config, read);
  if (purpose.kind === 'preview') {
    const limit = Math.min(paged.pageSize, read.leads ? purpose.limit + 1 : Infinity);
    const parts = isOfView(read) ? viewParts(read) : [{}];
    const pages = parts.map((part) => page(partOf(paged, part), limit));
    return [recordsStep(config, read, pages, previewPart(read))];
  }
  const options: CallOptions = { signal, onWait: reportWait(onProgress) };
  const parts =
    partsWithoutCount(config, read, []) ??
    countedParts(config, read, (await countRecords(client, paged, options)).count);
  const pages = parts.map((part) => page(partOf(paged, part), config.pageSize));
  if (!config.incremental || !hasMark(config, read)) return wholeSteps(config, read, pages);
  const newest = await newestMark(client, read, options);
  const mark = markText === undefined ? undefined : parseWatermark(markText);
  if (!mark) return markedSteps(config, read, pages, newest);
  return [...changeSteps(config, read, mark), ...markedSteps(config, read, pages, newest, otherwise)];
}

const otherwise = '; only where that count is another one';

/** Start of the request for changes outside of the filter; undefined if unavailable. */
async function newestMark(
  client: ServiceNowClient,
  read: ObjectRead,
  options: CallOptions,
): Promise<Watermark | undefined> {
  if (!hasOthers(read)) return undefined;
  const newest = await newestTime(client, read.dataObject, options);
  if (typeof newest === 'string') return undefined;
  const from = Math.min(parseUtcSeconds(newest.at), newest.now);
  return Number.isNaN(from) ? undefined : { from };
}

/** Requests of a full read that enables later incremental imports. */
function markedSteps(
  config: ServiceNowConfig,
  read: ObjectRead,
  pages: readonly TableParameters[],
  newest: Watermark | undefined,
  when = '',
): readonly QueryStep[] {
  const { dataObject } = read;
  const paged = pagedRead(config, read);
  const counting = `Count of the records of ${dataObject}`;
  const after = countStep(`${counting}, after, to find out whether all arrived${when}`, config, paged);
  if (!hasOthers(read)) {
    const title = `${counting}, before, and their newest time, from where the next import reads changes${when}`;
    const before = statsStep(title, config, dataObject, countParameters(paged, timeField(dataObject)));
    return [before, recordsStep(config, read, pages, `${inRanges(config, pages)}${when}`), after];
  }
  const recent = newest && page(recentRead(config, read, newest), config.pageSize);
  return [
    countStep(`${counting}, before${when}`, config, paged),
    statsStep(
      `Newest time of all records of ${dataObject}, from where the next import reads changes${when}`,
      config,
      dataObject,
      newestParameters(dataObject),
    ),
    ...(recent
      ? [
          listStep(
            `The newest records of ${dataObject}, to tell changes from them, ${earlier}${when}`,
            config,
            dataObject,
            [recent],
          ),
        ]
      : []),
    recordsStep(config, read, pages, `${inRanges(config, pages)}${when}`),
    after,
  ];
}

const earlier = 'from 26 hours earlier on where literal times are not UTC';

/** Requests of an incremental import: the first and the last if nothing has changed. */
function changeSteps(config: ServiceNowConfig, read: ObjectRead, mark: Watermark): readonly QueryStep[] {
  const { dataObject } = read;
  const changed: PagedRead = { ...pagedRead(config, read), conditions: [sinceCondition(dataObject, mark)] };
  const recent = page(recentRead(config, read, mark), config.pageSize);
  const keys = page(changedKeysRead(config, read, mark), config.pageSize);
  const isFiltered = hasOthers(read);
  const isSummed = changeCount(read) !== undefined;
  const when = isFiltered ? '; only where something changed' : '; only where more than a page changed';
  return [
    listStep(`What changed in ${dataObject} since the import before, ${earlier}`, config, dataObject, [recent]),
    ...(isFiltered
      ? [
          listStep(
            `Keys of all that changed in ${dataObject}, page by page; only where more than a page changed`,
            config,
            dataObject,
            [keys],
          ),
        ]
      : []),
    countStep(`Count of the changed records that are needed, before and after${when}`, config, changed),
    recordsStep(config, read, [page(changed, config.pageSize)], `; what changed since the import before${when}`),
    statsStep(
      `Count of all that are needed${isSummed ? ', and how often they changed in all,' : ','} which must equal the cached and the changed ones together`,
      config,
      dataObject,
      { ...countParameters({ ...changed, conditions: [] }), ...(isSummed && { sumFields: [changesField] }) },
    ),
    ...(isTrail(dataObject) ? [] : deletionSteps(config, dataObject, mark)),
  ];
}

/** Requests of an import with more cached records than exist. */
function deletionSteps(config: ServiceNowConfig, dataObject: string, mark: Watermark): readonly QueryStep[] {
  const when = '; only where fewer records are counted than kept';
  const children = describingRead(childTables([dataObject]));
  const deletions = deletionsRead(config, [dataObject], mark);
  return [
    listStep(`Tables that extend ${dataObject}, directly or indirectly${when}`, config, children.table, [
      page(children, children.pageSize),
    ]),
    listStep(
      `Records of ${dataObject} and of these tables that were deleted since the import before, ${earlier}; kept ones among them are then looked for by sys_idIN…${when}`,
      config,
      deletions.table,
      [page(deletions, config.pageSize)],
    ),
  ];
}

function wholeSteps(
  config: ServiceNowConfig,
  read: ObjectRead,
  pages: readonly TableParameters[],
): readonly QueryStep[] {
  const counting = `Count of the records of ${read.dataObject}, before and after, to find out whether all arrived`;
  return [
    countStep(counting, config, pagedRead(config, read)),
    recordsStep(config, read, pages, inRanges(config, pages)),
  ];
}

function inRanges({ concurrency }: ServiceNowConfig, pages: readonly TableParameters[]): string {
  return pages.length > 1 ? `; in parts, ${concurrency} at a time` : '';
}

function recordsStep(
  config: ServiceNowConfig,
  read: ObjectRead,
  pages: readonly TableParameters[],
  more: string,
): QueryStep {
  const { dataObject } = read;
  const { branches, local } = encodedFilters(config, read);
  const query = joined(branches, []).join('^');
  const conditions = query === '' ? 'all of them' : `those with ${query}`;
  const rest = local.length > 0 ? `; left to the core query: ${local.join(' AND ').replace(/\s+/g, ' ')}` : '';
  const [keys = ['sys_id']] = isOfView(read) ? viewParts(read).map((part) => part.keys) : [];
  const behind = keys.length === 0 ? 'those behind, by their number' : `${keys.join(', ')}> the last one's`;
  const title = `Records of ${dataObject}, ${conditions}, page by page: further pages ask for ${behind}${more}${rest}`;
  return listStep(title, config, dataObject, pages);
}

function previewPart({ link, leads }: ObjectRead): string {
  return link && !leads
    ? `; a preview asks for those whose ${link.column} is the ${link.by} of a fetched record of ${link.of}`
    : '';
}

function page(paged: PagedRead, limit: number): TableParameters {
  return pageParameters(paged, { limit, counted: true });
}

function listStep(
  title: string,
  config: ServiceNowConfig,
  table: string,
  requests: readonly TableParameters[],
): QueryStep {
  return httpStep(
    title,
    config,
    requests.map((parameters) => ({
      path: [...now(config), 'table', table],
      parameters: readSysparms(parameters, config),
    })),
  );
}

function countStep(title: string, config: ServiceNowConfig, read: PagedRead): QueryStep {
  return statsStep(title, config, read.table, countParameters(read));
}

function statsStep(title: string, config: ServiceNowConfig, table: string, parameters: AggregateParameters): QueryStep {
  return httpStep(title, config, [
    { path: [...now(config), 'stats', table], parameters: readSysparms(parameters, config) },
  ]);
}

function now({ version }: ServiceNowConfig): readonly string[] {
  return ['now', ...(version === undefined ? [] : [version])];
}

interface ShownRequest {
  readonly path: readonly string[];
  readonly parameters?: URLSearchParams;
}

/** Requests for Show Query: exact, with redacted credentials. */
function httpStep(
  title: string,
  config: Pick<ServiceNowConfig, 'instanceUrl' | 'auth'>,
  requests: readonly ShownRequest[],
): QueryStep {
  const printed = requests.map((request) => {
    const url = shownAddress(requestUrl(config.instanceUrl, request), config.auth);
    return [`GET ${url.href}`, 'Accept: application/json', ...loginLines(config.auth)].join('\n');
  });
  const text = printed.join('\n\n');
  return { kind: 'http', dialect: 'http', role: 'setup', title, text };
}
