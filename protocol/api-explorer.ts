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
  /** What it does, one line. */
  readonly summary?: string;
  /** Parameters of the query that it documents. */
  readonly parameters: readonly KnownParameter[];
  /** What the path leaves open, by its names in braces there. */
  readonly pathParameters?: readonly KnownParameter[];
  /** What it wants and a request put together here does not have, one sentence each. */
  readonly notes?: readonly string[];
  /** A body to begin with. */
  readonly body?: string;
}

/** A parameter with values that are proposed. */
export interface KnownParameter {
  readonly name: string;
  readonly hint: string;
  readonly values?: readonly string[];
  /** True when a request without it makes no sense: it is there from the beginning. */
  readonly required?: boolean;
  /** What it begins with then. */
  readonly value?: string;
  /** Its value names columns of the table: a list with commas, or an encoded query. */
  readonly names?: 'columns' | 'query';
}

/** A column of a table of the platform, as it is asked for. */
export interface KnownColumn {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  /** What is stored in it, where that is known. */
  readonly values?: readonly { readonly value: string; readonly label?: string }[];
}

/** What can be explored of one source. */
export interface ApiView {
  readonly uri: string;
  readonly dataSource: string;
  /** What paths are appended to. */
  readonly address: string;
  readonly endpoints: readonly ApiEndpoint[];
  /** Columns by table, of the tables whose columns are known. */
  readonly columns?: Readonly<Record<string, readonly KnownColumn[]>>;
  /** What is missing among them and why, one sentence each. */
  readonly warnings: readonly string[];
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
  /** As HTTP calls it, such as `Not Found`; empty for a status of the other side's own. */
  readonly reason: string;
  readonly headers: readonly ApiParameter[];
  /** JSON is indented. Of a long one, the explorer gets the beginning. */
  readonly body: string;
  readonly isCut: boolean;
  /** True when there is more than was read, so that nothing is told of records in it. */
  readonly isPart?: boolean;
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
  /** Opens the answer in an editor, also what the explorer does not show of it. */
  | { readonly kind: 'open' }
  | { readonly kind: 'cancel' };

/** Extension → explorer. */
export type ExplorerNews =
  | { readonly kind: 'view'; readonly view: ApiView }
  /** For the request that was previewed last. */
  | { readonly kind: 'text'; readonly text: ApiText }
  | { readonly kind: 'wrong'; readonly error: Failure }
  | { readonly kind: 'sending' }
  | { readonly kind: 'exchange'; readonly request: ApiRequest; readonly exchange: ApiExchange }
  | { readonly kind: 'failure'; readonly error: Failure }
  /** Nothing was sent after all. */
  | { readonly kind: 'idle' };
