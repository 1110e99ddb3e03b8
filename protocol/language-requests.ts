import type { CanvasEditRequests } from './requests/canvas-requests.ts';
import type { GraphRequests } from './requests/graph-requests.ts';
import type { LifecycleRequests } from './requests/lifecycle-requests.ts';
import type { PlatformRequests } from './requests/platform-requests.ts';
import type { QueryRequests } from './requests/query-requests.ts';
import type { SourceRequests } from './requests/source-requests.ts';
import type { TestRequests } from './requests/test-requests.ts';

/** Requests beyond LSP, client → server: method → params and result. Each feature declares its own. */
export interface LanguageRequests
  extends
    GraphRequests,
    QueryRequests,
    CanvasEditRequests,
    LifecycleRequests,
    SourceRequests,
    PlatformRequests,
    TestRequests {}

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

export type RequestMethod = keyof LanguageRequests;
export type RequestParams<M extends RequestMethod> = LanguageRequests[M]['params'];
export type RequestResult<M extends RequestMethod> = LanguageRequests[M]['result'];
