import type { languageRequests } from '../../../../protocol/language-requests.ts';
import type { Requests } from '../../../../protocol/shapes/request-shape.ts';
import type { RequestWork } from '../request-guard.ts';

/** The handler of each request of a table. */
export type Handlers<Table> = {
  readonly [M in keyof Table]: RequestWork<Requests<Table>[M]['params'], Requests<Table>[M]['result']>;
};

/** One handler per request of `protocol/language-requests.ts`. */
export type GraphRequests = Handlers<typeof languageRequests>;
