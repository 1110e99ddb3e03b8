import type { Pagination } from './pagination.ts';

/** An endpoint that gives records as JSON, page by page. */
export interface RestEndpoint {
  readonly name: string;
  /** Path below the base address. */
  readonly path: string;
  /** Query parameters, each sent when its placeholders have values. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** Path of the record list in a response; empty for the response itself. */
  readonly records: readonly string[];
  /** For records that are the values of an object: the column that receives its keys. */
  readonly keyColumn?: string | undefined;
  /** Texts that represent missing values. */
  readonly nullValues?: readonly string[] | undefined;
  readonly key: readonly string[];
  /** Declared DuckDB types by column. */
  readonly columns: Readonly<Record<string, string>>;
  readonly pagination?: Pagination;
  /** The default size of a page by an OpenAPI document. */
  readonly usualSize?: number;
}

/** A list is sent as a repeated parameter. */
export type ParameterValue = string | readonly string[];
