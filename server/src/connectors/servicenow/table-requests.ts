import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import { translateFilters } from '../../query/servicenow-filter.ts';
import type { QueryPurpose } from '../connector.ts';
import { isTrail } from './check-audit-filter.ts';
import type { ServiceNowConfig } from './config.ts';
import { httpStep } from './http-step.ts';
import { keyRanges } from './key-ranges.ts';
import { sysparms, type AggregateParameters, type TableParameters } from './parameters.ts';
import {
  askedTable,
  changedKeysRead,
  hasMark,
  literalParameters,
  newestParameters,
  sinceCondition,
  type Mark,
} from './read-changes.ts';
import { joined, pageParameters, type PagedRead } from './read-pages.ts';
import { pagedRead } from './table-records.ts';

/**
 * The requests of a read, as they are sent: of each kind the first, what changes from page to page is said in the title.
 * An import with a mark asks for what changed since; how many ranges of keys a large table is read in is told by its estimate.
 */
export function tableRequests(
  config: ServiceNowConfig,
  read: ObjectRead,
  purpose: QueryPurpose,
  mark: string | undefined,
): readonly QueryStep[] {
  const paged = pagedRead(config, read);
  if (purpose.kind === 'preview') {
    const limit = Math.min(paged.pageSize, read.leads ? purpose.limit + 1 : Infinity);
    return [recordsStep(config, read, [page(paged, limit)], previewPart(read))];
  }
  const isIncremental = config.incremental && hasMark(config, read);
  return [
    ...(isIncremental ? [newestStep(config, read)] : []),
    ...(isIncremental && mark !== undefined ? changeSteps(config, read, JSON.parse(mark) as Mark) : []),
    ...allSteps(config, read, isIncremental && mark !== undefined),
  ];
}

function newestStep(config: ServiceNowConfig, read: ObjectRead): QueryStep {
  const title = `Newest record of ${read.dataObject}, from where the next import reads changes`;
  return listStep(title, config, read.dataObject, [newestParameters(askedTable(config, read))]);
}

/** What an import asks for that knows the records of the one before. */
function changeSteps(config: ServiceNowConfig, read: ObjectRead, mark: Mark): readonly QueryStep[] {
  const { dataObject } = read;
  const since = sinceCondition(dataObject, mark, true);
  const changed: PagedRead = { ...pagedRead(config, read), conditions: [since] };
  const earlier = 'from 26 hours earlier on where literal times are not UTC';
  const zone =
    'Whether the instance reads literal times as UTC: the newest record of the import before, by its own time';
  const keysTitle = `Keys of all that changed in ${dataObject} since the import before, page by page, ${earlier}`;
  const keys = page(changedKeysRead(config, read, since), config.pageSize);
  return [
    listStep(zone, config, dataObject, [literalParameters(askedTable(config, read), mark)]),
    ...(read.filters === undefined || isTrail(dataObject) ? [] : [listStep(keysTitle, config, dataObject, [keys])]),
    countStep(`Count of the changed records that are needed, before and after, ${earlier}`, config, changed),
    recordsStep(config, read, [page(changed, config.pageSize)], `; what changed since the import before, ${earlier}`),
    countStep('Count of all that are needed, which must be that of what is kept and what changed', config, {
      ...changed,
      conditions: [],
    }),
  ];
}

function allSteps(config: ServiceNowConfig, read: ObjectRead, isFallback: boolean): readonly QueryStep[] {
  const paged = pagedRead(config, read);
  const { rowEstimate = 0 } = read;
  const ranges = keyRanges(rowEstimate / config.pageSize, config.concurrency);
  const pages = ranges.map((range) => page({ ...paged, range }, config.pageSize));
  const when = isFallback ? '; all of them, where that count is another one' : '';
  const inRanges =
    ranges.length > 1
      ? `; ranges of sys_id as for ${rowEstimate} records, ${config.concurrency} at a time: the count tells how many there are`
      : '';
  return [
    countStep(
      `Count of the records of ${read.dataObject}, before and after, to find out whether all arrived${when}`,
      config,
      paged,
    ),
    recordsStep(config, read, pages, `${inRanges}${when}`),
  ];
}

function recordsStep(
  config: ServiceNowConfig,
  read: ObjectRead,
  pages: readonly TableParameters[],
  more: string,
): QueryStep {
  const { dataObject, columns, filters } = read;
  const { branches, local } = translateFilters(filters, dataObject, columns);
  const query = joined(branches, []).join('^');
  const conditions = query === '' ? 'all of them' : `those with ${query}`;
  const rest = local.length > 0 ? `; left to the core query: ${local.join(' AND ').replace(/\s+/g, ' ')}` : '';
  const title = `Records of ${dataObject}, ${conditions}, page by page: further pages ask for sys_id> the last one's${more}${rest}`;
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
    requests.map((parameters) => ({ path: [...now(config), 'table', table], parameters: sysparms(parameters) })),
  );
}

function countStep(
  title: string,
  config: ServiceNowConfig,
  { table, branches, conditions = [] }: PagedRead,
): QueryStep {
  const query = joined(branches, conditions).join('^');
  const parameters: AggregateParameters = { count: true, ...(query !== '' && { query }) };
  return httpStep(title, config, [{ path: [...now(config), 'stats', table], parameters: sysparms(parameters) }]);
}

function now({ version }: ServiceNowConfig): readonly string[] {
  return ['now', ...(version === undefined ? [] : [version])];
}
