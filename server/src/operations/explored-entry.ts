import type { ApiList, ApiParameter, ApiRequest } from '../../../protocol/api-explorer.ts';
import { besideRecords, defaultPageSize, furtherPaths, tellPaging } from '../connectors/rest/tell-paging.ts';
import { nextLink } from '../connectors/rest/link-header.ts';
import { isRecord, valueAt } from '../connectors/fetched/json-records.ts';
import { SourceError } from '../connectors/source-error.ts';
import type { DataSource } from '../model/data-sources.ts';
import type { SourceEntry } from '../model/edits/add-source-entry.ts';

/** An entry of a data source for what a request lists. */
export interface ExploredEntry {
  /** The setting that it is added to. */
  readonly list: 'tables' | 'scripted' | 'endpoints';
  readonly entry: SourceEntry;
  /** What the setting stands for where it is missing. */
  readonly others?: readonly SourceEntry[];
  /** What of the request does not hold for the entry, one sentence each. */
  readonly notes: readonly string[];
}

/** The request with what stands behind a question mark of its path among its parameters. */
export function takenApart<T extends Pick<ApiRequest, 'path' | 'parameters'>>(request: T): T {
  const [, bare = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(request.path) ?? [];
  const own = [...new URLSearchParams(query)].map(([name, value]): ApiParameter => ({ name, value }));
  return { ...request, path: bare, parameters: [...own, ...request.parameters] };
}

/** How the list of an answer goes on, as far as its request and it tell: settings of `pagination`, or only that it does. */
export function exploredPaging(
  request: ApiRequest,
  {
    answer,
    link,
    recordCount,
  }: { readonly answer: unknown; readonly link: string | null; readonly recordCount: number },
): Pick<ApiList, 'pagination' | 'hasMore'> {
  const { parameters } = takenApart(request);
  const beside = besideRecords(answer);
  const told = tellPaging(new Map(parameters.map(({ name }) => [name, {}])), beside);
  const hasNextLink = nextLink(link) !== undefined;
  const { next } = furtherPaths(beside);
  const isAddress = next !== undefined && /^https?:\/\//.test(String(valueAt(answer, next) as string));
  const paging =
    told ??
    (hasNextLink
      ? { ...limitOf(parameters), style: 'link' as const }
      : isAddress
        ? { ...limitOf(parameters), style: 'cursor' as const, next }
        : undefined);
  if (!paging) return { hasMore: tellsOfMore(answer, beside, recordCount) };
  const valueOf = (name: string | undefined): string =>
    parameters.find((each) => each.name === name)?.value.trim() ?? '';
  const size = valueOf(paging.limitParameter);
  const pageSize = /^[1-9]\d{0,5}$/.test(size) ? Number(size) : defaultPageSize;
  const { style, limitParameter } = paging;
  const first = style === 'page' && valueOf(paging.parameter) === '0';
  return {
    pagination: {
      style,
      ...('parameter' in paging && paging.parameter !== style && { parameter: paging.parameter }),
      ...(limitParameter !== undefined && !(style === 'offset' && limitParameter === 'limit') && { limitParameter }),
      ...(limitParameter !== undefined && pageSize !== defaultPageSize && { pageSize }),
      ...(first && { first: 0 }),
      ...(style === 'cursor' && { next: paging.next.join('.') }),
      ...('total' in paging && paging.total.length > 0 && { total: paging.total.join('.') }),
    },
  };
}

/**
 * The entry of a request that lists records. Throws `source-config` when it cannot be one.
 * @param offered the tables of an instance whose settings name none.
 */
export function exploredEntry(
  source: DataSource,
  request: ApiRequest,
  list: ApiList,
  offered: readonly string[] = [],
): ExploredEntry {
  if (request.method !== 'GET') throw notListed('Only what is read with GET can be a data object.');
  const { path, parameters: given } = takenApart(request);
  const parameters = given.filter(({ name }) => name !== '');
  const name = path.split('/').findLast((segment) => /^[\w-]+$/.test(segment)) ?? 'endpoint';
  if (source.kind?.value !== 'servicenow') {
    const sent = sentOf(path, parameters, list);
    const records = list.records === '' ? {} : { records: list.records };
    const entry = withOwnName(source, name, { path: sent.path, ...records, ...sent.settings });
    return { list: 'endpoints', entry, notes: notesOf(list) };
  }
  const table = /^\/?api\/now\/(?:v\d+\/)?table\/(\w+)\/?$/.exec(path)?.[1];
  if (table !== undefined) {
    const isFiltered = parameters.some(({ name: each, value }) => value !== '' && isFilter(each));
    const note = `The table is offered whole: what the request filters by belongs in where of an element.`;
    const entry = { list: 'tables', entry: table, notes: isFiltered ? [note] : [] } as const;
    if (source.settings['tables'] !== undefined) return entry;
    if (offered.includes(table))
      throw notListed(`${table} is a data object already: tables names none, and it is one of the usual ones.`);
    const said = 'Without tables the usual ones were offered: the setting now names them, too.';
    return { ...entry, others: offered, notes: [...entry.notes, said] };
  }
  if (/^\/?api\/now\//.test(path)) throw notListed('Only tables and scripted endpoints can be data objects.');
  const sent = sentOf(path.replace(/^\/?api/, ''), parameters, list);
  const records = list.records === 'result' ? {} : { records: list.records };
  const entry = withOwnName(source, name, { path: sent.path, ...records, ...sent.settings });
  return { list: 'scripted', entry, notes: notesOf(list) };
}

/** The entry with a name that no other data object of the source has; the same one again keeps its name. */
function withOwnName({ settings }: DataSource, name: string, entry: Readonly<Record<string, unknown>>): SourceEntry {
  const known = ['endpoints', 'scripted'].flatMap((list) => groupsOf(settings[list]));
  const same = known.find(({ name: _, ...others }) => JSON.stringify(others) === JSON.stringify(entry));
  if (typeof same?.['name'] === 'string') return { name: same['name'], ...entry };
  const tables: unknown = settings['tables'];
  const names = [...known.map((each) => each['name']), ...(Array.isArray(tables) ? (tables as unknown[]) : [tables])];
  const taken = new Set(names.map((each) => String(each).toLowerCase()));
  let own = name;
  for (let number = 2; taken.has(own.toLowerCase()); number += 1) own = `${name}_${number}`;
  return { name: own, ...entry };
}

function groupsOf(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Names of the platform's own parameters, but for the query, say how records are shown, which an import knows better. */
function isFilter(name: string): boolean {
  return name === 'sysparm_query' || !name.startsWith('sysparm_');
}

/** What is sent with every request: what says where a page is comes from its pagination. A name that stands twice fits into the path only. */
function sentOf(
  path: string,
  parameters: readonly ApiParameter[],
  { pagination }: ApiList,
): { readonly path: string; readonly settings: Readonly<Record<string, unknown>> } {
  const style = pagination?.['style'];
  const placed = pagination
    ? [pagination['parameter'] ?? style, pagination['limitParameter'] ?? defaultLimit(style)]
    : [];
  const constant = parameters.filter(({ name }) => !placed.includes(name));
  const paging = pagination ? { pagination } : {};
  const names = constant.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    const query = new URLSearchParams(constant.map(({ name, value }): [string, string] => [name, value]));
    return { path: `${path}?${query.toString()}`, settings: paging };
  }
  const values = Object.fromEntries(constant.map(({ name, value }) => [name, value]));
  return { path, settings: { ...(names.length > 0 && { parameters: values }), ...paging } };
}

function defaultLimit(style: unknown): string | undefined {
  return style === 'offset' ? 'limit' : undefined;
}

function limitOf(parameters: readonly ApiParameter[]) {
  const limit = tellPaging(
    new Map(['page', ...parameters.map(({ name }) => name)].map((name) => [name, {}])),
    new Map(),
  )?.limitParameter;
  return limit === undefined ? {} : { limitParameter: limit };
}

function tellsOfMore(answer: unknown, beside: ReadonlyMap<string, readonly string[]>, recordCount: number): boolean {
  const { next, total } = furtherPaths(beside);
  const cursor = next && valueAt(answer, next);
  const isNext = cursor !== undefined && cursor !== null && cursor !== '' && cursor !== false;
  return isNext || Number(total && valueAt(answer, total)) > recordCount;
}

function notesOf({ pagination, hasMore }: ApiList): readonly string[] {
  if (pagination || !hasMore) return [];
  return [
    'The answer tells of more records than it has: say in pagination of the entry how further pages are asked for.',
  ];
}

function notListed(message: string): SourceError {
  return new SourceError('source-config', message);
}
