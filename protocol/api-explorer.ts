import type { EndpointMethod } from './platform-actions.ts';
import type { Failure } from './query-results.ts';

/** A request as it is put together in the explorer. */
export interface ApiRequest {
  readonly method: EndpointMethod;
  /** Below the address of the source. */
  readonly path: string;
  readonly parameters: readonly ApiParameter[];
  /** JSON; empty for none. */
  readonly body: string;
}

export interface ApiParameter {
  readonly name: string;
  readonly value: string;
}

/** An endpoint that the explorer proposes. */
export interface ApiEndpoint {
  readonly label: string;
  readonly method: EndpointMethod;
  readonly path: string;
  /** Names of parameters that it documents, with values that are proposed. */
  readonly parameters: readonly { readonly name: string; readonly hint: string; readonly values?: readonly string[] }[];
  /** A body to begin with. */
  readonly body?: string;
}

/** What can be explored of one source. */
export interface ApiView {
  readonly uri: string;
  readonly dataSource: string;
  /** What paths are appended to. */
  readonly address: string;
  readonly endpoints: readonly ApiEndpoint[];
}

/** A request as it is sent, logins masked. */
export interface ApiText {
  readonly http: string;
  readonly curl: string;
}

/** A list of records in an answer. */
export interface ApiList {
  /** Names that lead to it, separated by dots. */
  readonly records: string;
  /** Settings by which further pages are asked for, where request and answer show them. */
  readonly pagination?: Readonly<Record<string, unknown>>;
  /** Whether the answer tells of more records, though it is not known how to ask for them. */
  readonly hasMore?: boolean;
}

export interface ApiExchange {
  readonly status: number;
  readonly headers: readonly ApiParameter[];
  /** JSON is indented; what is longer than some hundred thousand characters is cut off. */
  readonly body: string;
  readonly isCut: boolean;
  readonly bytes: number;
  readonly durationMs: number;
  /** Absent when there is none. */
  readonly list?: ApiList;
  readonly recordCount?: number;
  /** Columns of these records, as they look. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Explorer → extension. */
export type ExplorerAction =
  | { readonly kind: 'preview' | 'send' | 'copyHttp' | 'copyCurl'; readonly request: ApiRequest }
  /** Makes the list of records a data object of the source. */
  | { readonly kind: 'add'; readonly request: ApiRequest; readonly list: ApiList }
  | { readonly kind: 'cancel' };

/** Extension → explorer. */
export type ExplorerNews =
  | { readonly kind: 'view'; readonly view: ApiView }
  /** For the request that was previewed last. */
  | { readonly kind: 'text'; readonly text: ApiText }
  | { readonly kind: 'wrong'; readonly error: Failure }
  | { readonly kind: 'sending' }
  | { readonly kind: 'exchange'; readonly exchange: ApiExchange }
  | { readonly kind: 'failure'; readonly error: Failure }
  /** Nothing was sent after all. */
  | { readonly kind: 'idle' };
