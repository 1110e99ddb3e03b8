import type { ApiList, ApiRequest } from '../../../../protocol/api-explorer.ts';
import { type AnswerSigns, answerSigns } from '../../connectors/endpoints/answer-signs.ts';
import { withQueryAsParameters } from '../../connectors/endpoints/explored-entry.ts';
import { proposePagination } from '../../connectors/endpoints/propose-pagination.ts';
import type { AnswerHeaders } from '../../connectors/http/http-client.ts';

interface ExploredAnswer {
  readonly answer: unknown;
  readonly headers: AnswerHeaders;
  /** Path of the record list. */
  readonly records: readonly string[];
  readonly recordCount: number;
}

/**
 * The pagination of a list derived from its request and response: settings of `pagination`, or only that there are more
 * records.
 */
export function exploredPaging(
  request: ApiRequest,
  { answer, headers, records, recordCount }: ExploredAnswer,
): Pick<ApiList, 'pagination' | 'hasMore'> {
  const { parameters } = withQueryAsParameters(request);
  const signs = answerSigns(answer, headers, records);
  const { settings, isGuess } = proposePagination(
    parameters.map(({ name, value }) => [name, value]),
    signs,
  );
  return isGuess ? { hasMore: tellsOfMore(signs, recordCount) } : { pagination: settings };
}

function tellsOfMore({ next, total, hasMore, pages }: AnswerSigns, recordCount: number): boolean {
  if (hasMore) return hasMore.value;
  return next !== undefined || (total?.value.count ?? 0) > recordCount || (pages?.value ?? 0) > 1;
}
