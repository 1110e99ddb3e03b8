import type { Failure } from './query-results.ts';

/** How far reading the catalog of a data source is. */
export type CatalogState =
  | {
      readonly kind: 'reading';
      readonly dataSource: string;
      /** The current step, such as `Connecting to db.example:5432`. */
      readonly step: string;
      /** Since it began. */
      readonly elapsedMs: number;
    }
  | { readonly kind: 'known' }
  | { readonly kind: 'failed'; readonly error: Failure };

/** A change of the state of a data source's catalog. */
export interface CatalogChange {
  /** URI of the data sources file. */
  readonly uri: string;
  readonly dataSource: string;
  /** URIs of the open graphs on this data source. */
  readonly graphs: readonly string[];
  /** URIs of the open graphs on another data source of the same file. */
  readonly besides: readonly string[];
  readonly state: CatalogState;
}
