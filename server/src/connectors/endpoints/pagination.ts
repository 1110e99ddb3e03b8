/** Pagination: `parameter` contains the page position, unless a template does. */
export type Pagination = PageSize &
  (
    | {
        readonly style: 'offset';
        readonly parameter?: string;
        /** Number of records shared by consecutive pages, to detect changes of the list. */
        readonly overlap: number;
      }
    | { readonly style: 'page'; readonly parameter?: string; readonly first: number }
    | { readonly style: 'cursor'; readonly parameter?: string; readonly next: readonly string[] }
    | { readonly style: 'link' }
    /** One answer has all records; its other fields are ignored. */
    | { readonly style: 'none' }
  );

export interface PageSize {
  /** The page size parameter; omitted when undefined. */
  readonly limitParameter?: string;
  readonly pageSize: number;
  /** The settings state the size: a page of that size may not be the last one. */
  readonly isSizeGiven?: boolean;
  /** Path of the number of all records in an answer; empty if unknown. */
  readonly total: readonly string[];
}
