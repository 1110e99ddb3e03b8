import type { EndpointMethod } from './platform-actions.ts';
import type { Failure } from './query-results.ts';

/** A request as edited in the explorer. */
export interface ApiRequest {
  readonly method: EndpointMethod;
  /** Path below the base address of the source. */
  readonly path: string;
  readonly parameters: readonly ApiParameter[];
  /** JSON; empty for none. */
  readonly body: string;
}

export interface ApiParameter {
  readonly name: string;
  readonly value: string;
}

/** An endpoint listed in the explorer. */
export interface ApiEndpoint {
  readonly label: string;
  readonly method: EndpointMethod;
  readonly path: string;
  /** One-line summary. */
  readonly summary?: string;
  /** Documented query parameters. */
  readonly parameters: readonly KnownParameter[];
  /** Path parameters, named in braces in the path. */
  readonly pathParameters?: readonly KnownParameter[];
  /** Requirements that the explorer cannot meet, one sentence each. */
  readonly notes?: readonly string[];
  /** Initial body. */
  readonly body?: string;
}

/** A parameter with suggested values. */
export interface KnownParameter {
  readonly name: string;
  readonly hint: string;
  readonly values?: readonly string[];
  /** True for required parameters: they are present from the start. */
  readonly required?: boolean;
  /** Initial value. */
  readonly value?: string;
  /** The value names columns of the table: a comma-separated list, or an encoded query. */
  readonly names?: 'columns' | 'query';
}

/** A column of a table of the platform, under the name used in requests. */
export interface KnownColumn {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  /** Stored values, where known. */
  readonly values?: readonly { readonly value: string; readonly label?: string }[];
}

/** The endpoints, tables and columns that the explorer offers for one source. */
export interface ApiView {
  readonly uri: string;
  readonly dataSource: string;
  /** Base address of all paths. */
  readonly address: string;
  readonly endpoints: readonly ApiEndpoint[];
  /** Columns by table, for tables with known columns. */
  readonly columns?: Readonly<Record<string, readonly KnownColumn[]>>;
  /** Gaps in these lists and their reasons, one sentence each. */
  readonly warnings: readonly string[];
}

/** A request as sent, with credentials redacted. */
export interface ApiText {
  readonly http: string;
  readonly curl: string;
}

/** A record list in a response. */
export interface ApiList {
  /** Path of field names that leads to the list, separated by dots. */
  readonly records: string;
  /** Pagination settings derived from request and response. */
  readonly pagination?: Readonly<Record<string, unknown>>;
  /** Whether there are more records although no pagination could be derived. */
  readonly hasMore?: boolean;
}

export interface ApiExchange {
  readonly status: number;
  /** HTTP reason phrase such as `Not Found`; empty for non-standard statuses. */
  readonly reason: string;
  readonly headers: readonly ApiParameter[];
  /** JSON is indented. A long body is truncated. */
  readonly body: string;
  readonly isCut: boolean;
  /** True when the response was longer than the read limit, so that its records are unknown. */
  readonly isPart?: boolean | undefined;
  readonly bytes: number;
  readonly durationMs: number;
  /** Absent without a record list. */
  readonly list?: ApiList;
  readonly recordCount?: number;
  /** Inferred columns of these records. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Webview → extension. */
export type ExplorerAction =
  | { readonly kind: 'preview' | 'send' | 'copyHttp' | 'copyCurl'; readonly request: ApiRequest }
  /** Adds the record list as a data object of the source. */
  | { readonly kind: 'add'; readonly request: ApiRequest; readonly list: ApiList }
  /** Opens the complete response in an editor. */
  | { readonly kind: 'open' }
  | { readonly kind: 'cancel' };

/** Extension → webview. */
export type ExplorerNews =
  | { readonly kind: 'view'; readonly view: ApiView }
  /** Response to the latest preview. */
  | { readonly kind: 'text'; readonly text: ApiText }
  | { readonly kind: 'wrong'; readonly error: Failure }
  | { readonly kind: 'sending' }
  | { readonly kind: 'exchange'; readonly request: ApiRequest; readonly exchange: ApiExchange }
  | { readonly kind: 'failure'; readonly error: Failure }
  /** The request was not sent. */
  | { readonly kind: 'idle' };
