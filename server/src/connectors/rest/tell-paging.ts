import { isRecord } from '../fetched/json-records.ts';
import type { Pagination } from './config.ts';

/**
 * How further pages are asked for, by the names of parameters and of what stands beside the list of records. A style that
 * ends too early is worse than none, so all of these go on until a page is empty.
 */
export function tellPaging(
  parameters: ReadonlySet<string>,
  beside: ReadonlyMap<string, readonly string[]>,
): Pagination | undefined {
  const among = (names: readonly string[]): string | undefined => names.find((name) => parameters.has(name));
  const found = (names: readonly string[]): readonly string[] | undefined => {
    const name = names.find((each) => beside.has(each));
    return name === undefined ? undefined : beside.get(name);
  };
  const limit = among(limitNames);
  const size = { pageSize: defaultPageSize, ...(limit !== undefined && { limitParameter: limit }) };
  const [cursor, next] = [among(cursorNames), found(nextNames)];
  if (cursor !== undefined && next) return { style: 'cursor', parameter: cursor, next, ...size };
  const total = found(totalNames) ?? [];
  const offset = among(offsetNames);
  if (offset !== undefined) return { style: 'offset', parameter: offset, total, ...size };
  const page = among(pageNames);
  return page === undefined ? undefined : { style: 'page', parameter: page, first: 1, total, ...size };
}

/** The values that stand beside lists in an answer, at most two names deep, by their last name: the paths to them. */
export function besideRecords(answer: unknown): ReadonlyMap<string, readonly string[]> {
  const beside = new Map<string, readonly string[]>();
  if (!isRecord(answer)) return beside;
  for (const [name, value] of Object.entries(answer)) {
    if (isScalar(value)) beside.set(name, [name]);
    if (!isRecord(value)) continue;
    for (const [inner, nested] of Object.entries(value)) {
      if (isScalar(nested) && !beside.has(inner)) beside.set(inner, [name, inner]);
    }
  }
  return beside;
}

/** The paths to what tells of more: the next cursor, and the records in all. */
export function furtherPaths(beside: ReadonlyMap<string, readonly string[]>): {
  readonly next?: readonly string[] | undefined;
  readonly total?: readonly string[] | undefined;
} {
  const first = (names: readonly string[]) => beside.get(names.find((name) => beside.has(name)) ?? '');
  return { next: first(nextNames), total: first(totalNames) };
}

function isScalar(value: unknown): boolean {
  return !isRecord(value) && !Array.isArray(value);
}

export const defaultPageSize = 100;

const limitNames = ['limit', 'per_page', 'perPage', 'page_size', 'pageSize', 'size', 'count', '$top'];
const offsetNames = ['offset', 'skip', 'start', '$skip'];
const pageNames = ['page', 'page_number', 'pageNumber'];
const cursorNames = ['cursor', 'after', 'page_token', 'pageToken', 'starting_after', 'next_token'];
const nextNames = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'next_token',
  'nextToken',
  'cursor',
  'next',
];
const totalNames = ['total', 'total_count', 'totalCount', 'totalElements', 'total_results'];
