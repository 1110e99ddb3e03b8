/** Pagination: `parameter` contains the page position, unless a template does. */
export type Pagination = PageSize &
  (
    | {
        readonly style: 'offset';
        readonly parameter?: string;
        readonly total: readonly string[];
        /** Number of records shared by consecutive pages, to detect changes of the list. */
        readonly overlap: number;
      }
    | { readonly style: 'page'; readonly parameter?: string; readonly first: number; readonly total: readonly string[] }
    | { readonly style: 'cursor'; readonly parameter?: string; readonly next: readonly string[] }
    | { readonly style: 'link' }
  );

export interface PageSize {
  /** The page size parameter; omitted when undefined. */
  readonly limitParameter?: string;
  readonly pageSize: number;
}
