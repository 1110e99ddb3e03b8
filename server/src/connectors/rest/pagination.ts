/** How further pages are asked for: `parameter` says where one is, unless a template among the parameters does. */
export type Pagination = PageSize &
  (
    | {
        readonly style: 'offset';
        readonly parameter?: string;
        readonly total: readonly string[];
        /** How many records of a page are asked for again with the next one, to see that the two join. */
        readonly overlap: number;
      }
    | { readonly style: 'page'; readonly parameter?: string; readonly first: number; readonly total: readonly string[] }
    | { readonly style: 'cursor'; readonly parameter?: string; readonly next: readonly string[] }
    | { readonly style: 'link' }
  );

export interface PageSize {
  /** The parameter that says how many records are wanted; not sent when not given. */
  readonly limitParameter?: string;
  readonly pageSize: number;
}
