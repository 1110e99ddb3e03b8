import { canvasDocumentRequests } from './requests/canvas-requests.ts';
import { eventGraphDocumentRequests } from './requests/event-graph-requests.ts';
import { graphRequests } from './requests/graph-requests.ts';
import { lifecycleRequests } from './requests/lifecycle-requests.ts';
import { platformRequests } from './requests/platform-requests.ts';
import { queryRequests } from './requests/query-requests.ts';
import { sourceRequests } from './requests/source-requests.ts';
import { testRequests } from './requests/test-requests.ts';
import { type Requests, withUri } from './shapes/request-shape.ts';

/** Requests beyond LSP, client → server. Each feature declares its own. */
export const languageRequests = {
  ...graphRequests,
  ...withUri(queryRequests),
  ...withUri(canvasDocumentRequests),
  ...withUri(eventGraphDocumentRequests),
  ...lifecycleRequests,
  ...sourceRequests,
  ...platformRequests,
  ...testRequests,
};

export type LanguageRequests = Requests<typeof languageRequests>;
export type RequestMethod = keyof LanguageRequests;
export type RequestParams<M extends RequestMethod> = LanguageRequests[M]['params'];
export type RequestResult<M extends RequestMethod> = LanguageRequests[M]['result'];

/** Properties that our client sends in LSP's `initializationOptions`; other clients omit them all. */
export interface InitializationOptions {
  /** False in an untrusted workspace, where no source is contacted. Default: true. */
  readonly trusted?: boolean;
  /** The client supports `ClientRequests` and `LanguageNotifications`. */
  readonly extended?: boolean;
  /**
   * Origins, such as `https://acme.example`, that may receive values of secrets and environment variables without a
   * question.
   */
  readonly allowedOrigins?: readonly string[];
}
