import { isRecord } from '../fetched/json-records.ts';
import type { Pagination } from './pagination.ts';

/** Documented range of a parameter's values: non-negative integers. */
export interface ParameterValues {
  readonly fallback?: number | undefined;
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/**
 * Derives the pagination from parameter names and from siblings of the record list. A wrong style must not lose
 * records, so all of these continue until a page is empty.
 */
export function detectPagination(
  parameters: ReadonlyMap<string, ParameterValues>,
  beside: ReadonlyMap<string, readonly string[]>,
): Pagination | undefined {
  const among = (names: readonly string[]): string | undefined => names.find((name) => parameters.has(name));
  const found = (names: readonly string[]): readonly string[] | undefined => {
    const name = names.find((each) => beside.has(each));
    return name === undefined ? undefined : beside.get(name);
  };
  const limit = among(limitNames);
  const size = {
    pageSize: sizeWithin(parameters.get(limit ?? '')),
    ...(limit !== undefined && { limitParameter: limit }),
  };
  const [cursor, next] = [among(cursorNames), found(nextNames)];
  if (cursor !== undefined && next) return { style: 'cursor', parameter: cursor, next, ...size };
  const total = found(totalNames) ?? [];
  // A 1-based offset would repeat a record of each page.
  const offset = among(offsetNames.filter((name) => (startOf(parameters.get(name)) ?? 0) === 0));
  if (offset !== undefined) return { style: 'offset', parameter: offset, total, overlap: 0, ...size };
  const page = among(pageNames);
  if (page === undefined) return undefined;
  return { style: 'page', parameter: page, first: startOf(parameters.get(page)) ?? 1, total, ...size };
}

/** Default page size of a service, or its minimum. */
function startOf({ fallback, least }: ParameterValues = {}): number | undefined {
  return fallback ?? least;
}

function sizeWithin({ least = 1, most = Infinity }: ParameterValues = {}): number {
  return most < 1 ? defaultPageSize : Math.min(Math.max(defaultPageSize, least), most);
}

/** Paths of the sibling values of lists in a response, at most two levels deep, by last name. */
export function siblingValuePaths(answer: unknown): ReadonlyMap<string, readonly string[]> {
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

/** The paths of the next cursor and of the total. */
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
