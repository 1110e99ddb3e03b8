import type { EndpointMethod } from './platform-actions.ts';
import type { Failure } from './query-results.ts';
import type { apiList, apiRequest, explorerAction } from './shapes/platform-shapes.ts';
import type { Checked } from './shapes/shape.ts';

export type ApiRequest = Checked<typeof apiRequest>;
export type ApiParameter = ApiRequest['parameters'][number];
export type ApiList = Checked<typeof apiList>;
export type ExplorerAction = Checked<typeof explorerAction>;

/** An endpoint listed in the explorer. */
export interface ApiEndpoint {
  readonly label: string;
  readonly method: EndpointMethod;
  readonly path: string;
  /** One-line summary. */
  readonly summary?: string;
  /** Documented query parameters. */
  readonly parameters: readonly KnownParameter[];
  readonly pathParameters?: readonly PathParameter[];
  /** Requirements that the explorer cannot meet, one sentence each. */
  readonly notes?: readonly string[];
  /** Initial body. */
  readonly body?: string;
}

/** A parameter of the path, which names it in braces or has its placeholder. */
export interface PathParameter extends KnownParameter {
  /** The whole path segment that stands for the value; `hint` then names the value. */
  readonly placeholder?: string;
}

/** A parameter with suggested values. */
export interface KnownParameter {
  readonly name: string;
  readonly hint: string;
  readonly values?: readonly string[];
  /** Required parameters are present from the start, and so are those with an initial value. */
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
  /** Regular expression of paths whose first group is a table. */
  readonly tablePattern?: string;
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
