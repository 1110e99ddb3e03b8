import type { GraphView } from './graph-view.ts';
import type { ImportProgress, ImportSummary } from './import-progress.ts';
import type { Outcome, QueryTarget, ShowQueryResult, TestQueryResult, TextRange } from './query-results.ts';

/** Requests beyond LSP, client → server: method → params and result. */
export interface LanguageRequests {
  'entityGraph/graphView': { params: { uri: string }; result: GraphView | null };
  /** Elements and relationships of a file, for pickers. */
  'entityGraph/queryTargets': { params: { uri: string }; result: readonly QueryTargetView[] };
  'entityGraph/showQuery': { params: { uri: string; target: QueryTarget }; result: Outcome<ShowQueryResult> };
  /** Cancelled with LSP's `$/cancelRequest`, which cancels on the source's server too. */
  'entityGraph/testQuery': {
    params: { uri: string; target: QueryTarget; limit?: number };
    result: Outcome<TestQueryResult>;
  };
  /** Runs in a child process; progress comes as `entityGraph/importProgress`. Cancelled with `$/cancelRequest`. */
  'entityGraph/import': { params: { uri: string }; result: ImportSummary };
  /** Reads the catalog of the file's data source anew. */
  'entityGraph/refreshCatalog': { params: { uri: string }; result: Outcome<{ objects: number }> };
  /** Whether and when the graph was imported; null for a file that is not on disk. */
  'entityGraph/status': { params: { uri: string }; result: GraphStatusView | null };
}

/** The status of one entity graph, as `status` of the command line prints it. */
export interface GraphStatusView {
  readonly status: 'Not Imported' | 'Imported';
  /** The step of a running import or how the last one ended. */
  readonly progress: string | null;
  /** ISO 8601, UTC. */
  readonly imported: string | null;
  readonly modifiedSinceImport: boolean;
}

/** What our client says of itself in LSP's `initializationOptions`; other editors leave all of it out. */
export interface InitializationOptions {
  /** False in a workspace that is not trusted: no source is reached then. True when not given. */
  readonly trusted?: boolean;
  /** The client answers `ClientRequests` and understands `LanguageNotifications`. */
  readonly extended?: boolean;
}

/** Notifications, client → server. */
export interface ClientNotifications {
  'entityGraph/trustChanged': { trusted: boolean };
}

export interface QueryTargetView {
  readonly target: QueryTarget;
  readonly label: string;
  readonly description: string;
  readonly range: TextRange;
}

/** Notifications, server → client. */
export interface LanguageNotifications {
  'entityGraph/importProgress': { uri: string; progress: ImportProgress };
  /** A document's model changed; the canvas asks for the view again. */
  'entityGraph/graphChanged': { uri: string; version: number };
}

/** Requests, server → client. */
export interface ClientRequests {
  /** The value of `${secret:NAME}` from secret storage; asks the user when it is missing and `prompt` is set. */
  'entityGraph/secret': { params: { name: string; prompt: boolean }; result: { value: string | null } };
}

export type RequestMethod = keyof LanguageRequests;
export type RequestParams<M extends RequestMethod> = LanguageRequests[M]['params'];
export type RequestResult<M extends RequestMethod> = LanguageRequests[M]['result'];
