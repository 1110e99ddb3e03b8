import type { ApiList, ApiParameter, ApiRequest } from '../../../../protocol/api-explorer.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { SourceEntry } from '../../model/edits/add-source-entry.ts';
import { isRecord } from '../fetched/json-records.ts';
import { SourceError } from '../source-error.ts';
import type { ExploredEntry } from '../source-explorer.ts';

/** The request with the query of its path moved to its parameters. */
export function withQueryAsParameters<T extends Pick<ApiRequest, 'path' | 'parameters'>>(request: T): T {
  const [, bare = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(request.path) ?? [];
  const own = [...new URLSearchParams(query)].map(([name, value]): ApiParameter => ({ name, value }));
  return { ...request, path: bare, parameters: [...own, ...request.parameters] };
}

/**
 * The settings entry of an endpoint for a list request.
 * @param list the setting that contains it.
 * @param usualRecords default path of records in responses.
 */
export function endpointEntry(
  source: DataSource,
  { path, parameters: given }: Pick<ApiRequest, 'path' | 'parameters'>,
  found: ApiList,
  { list, usualRecords }: { readonly list: string; readonly usualRecords: string },
): ExploredEntry {
  const parameters = given.filter(({ name }) => name !== '');
  const name = path.split('/').findLast((segment) => /^[\w-]+$/.test(segment)) ?? 'endpoint';
  const sent = sentOf(path, parameters, found);
  const records = found.records === usualRecords ? {} : { records: found.records };
  const entry = withOwnName(source, name, { path: sent.path, ...records, ...sent.settings });
  return { list, entry, notes: notesOf(found) };
}

/** Throws `source-config` for a request that is not a GET. */
export function checkReads({ method }: ApiRequest): void {
  if (method !== 'GET') throw notListed('Only GET requests can be data objects.');
}

/** The entry with a unique data object name; an equal entry keeps its name. */
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

/** Constant parameters, of repeated names a list; page positions come from the pagination. */
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
  const values = new Map<string, string | readonly string[]>();
  for (const { name, value } of constant) {
    const known = values.get(name);
    values.set(name, known === undefined ? value : [known, value].flat());
  }
  return { path, settings: { ...(values.size > 0 && { parameters: Object.fromEntries(values) }), ...paging } };
}

function defaultLimit(style: unknown): string | undefined {
  return style === 'offset' ? 'limit' : undefined;
}

function notesOf({ pagination, hasMore }: ApiList): readonly string[] {
  if (pagination || !hasMore) return [];
  return [
    'The response announces more records than it contains: configure in pagination of the entry how further pages are requested.',
  ];
}

export function notListed(message: string): SourceError {
  return new SourceError('source-config', message);
}
