import type { Pagination } from './pagination.ts';
import { cursorNames, limitNames, nameAmong, nextNames, offsetNames, pageNames, totalNames } from './paging-names.ts';

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
  const among = (names: readonly string[]): string | undefined => nameAmong(names, parameters.keys());
  const found = (names: readonly string[]): readonly string[] | undefined => {
    const name = nameAmong(names, beside.keys());
    return name === undefined ? undefined : beside.get(name);
  };
  const limit = among(limitNames);
  const size = {
    pageSize: sizeWithin(parameters.get(limit ?? '')),
    ...(limit !== undefined && { limitParameter: limit }),
  };
  const total = found(totalNames) ?? [];
  const [cursor, next] = [among(cursorNames), found(nextNames)];
  if (cursor !== undefined && next) return { style: 'cursor', parameter: cursor, next, total: [], ...size };
  // A 1-based offset would repeat a record of each page.
  const offset = among(
    offsetNames.filter((name) => (startOf(parameters.get(nameAmong([name], parameters.keys()) ?? '')) ?? 0) === 0),
  );
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

/** The default size of a page by the description of its parameter. */
export function usualSizeOf(parameters: ReadonlyMap<string, ParameterValues>): number | undefined {
  return parameters.get(nameAmong(limitNames, parameters.keys()) ?? '')?.fallback;
}

export const defaultPageSize = 100;
