import type { RequestMethod, RequestParams, RequestResult } from '../../../../protocol/language-requests.ts';
import type { RequestWork } from '../request-guard.ts';

/** One handler per request of `protocol/language-requests.ts`. */
export type GraphRequests = {
  readonly [M in RequestMethod]: RequestWork<RequestParams<M>, RequestResult<M>>;
};
