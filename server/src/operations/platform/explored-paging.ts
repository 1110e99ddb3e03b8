import type { ApiList, ApiParameter, ApiRequest } from '../../../../protocol/api-explorer.ts';
import { valueAt } from '../../connectors/fetched/json-records.ts';
import { withQueryAsParameters } from '../../connectors/endpoints/explored-entry.ts';
import { nextLink } from '../../connectors/endpoints/link-header.ts';
import {
  siblingValuePaths,
  defaultPageSize,
  furtherPaths,
  detectPagination,
} from '../../connectors/endpoints/detect-pagination.ts';

/**
 * The pagination of a list derived from its request and response: settings of `pagination`, or only that there are more
 * records.
 */
export function exploredPaging(
  request: ApiRequest,
  {
    answer,
    link,
    recordCount,
  }: { readonly answer: unknown; readonly link: string | null; readonly recordCount: number },
): Pick<ApiList, 'pagination' | 'hasMore'> {
  const { parameters } = withQueryAsParameters(request);
  const beside = siblingValuePaths(answer);
  const told = detectPagination(new Map(parameters.map(({ name }) => [name, {}])), beside);
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

function limitOf(parameters: readonly ApiParameter[]) {
  const limit = detectPagination(
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
