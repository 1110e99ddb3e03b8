import type { ListOptions, TableApi } from '../api/table-api.ts';
import { retryWithHalfSize } from './retry-with-half-size.ts';
import { ofRecords, pageParameters, type Cursor, type PagedRead } from './page-parameters.ts';

interface ShortPage {
  /** End of the previous page. */
  readonly cursor?: Cursor | undefined;
  /** The keys of its records. */
  readonly keys: readonly Cursor[];
  /** Number of records after the cursor known to be hidden. */
  readonly hidden: number;
}

/**
 * Whether a page has fewer records than requested because the instance limits pages, not because records are hidden:
 * it then has every record up to its last one, also if exactly as many are requested.
 */
export async function isPageCapped(
  api: TableApi,
  read: PagedRead,
  { cursor, keys, hidden }: ShortPage,
  options: ListOptions,
): Promise<boolean> {
  const [last] = keys.at(-1) ?? [];
  if (last === undefined || hidden > 0) return false;
  const { keys: [first = 'sys_id', ...further] = ofRecords, conditions = [] } = read;
  // With several keys no single condition ends a page.
  const until = further.length === 0 ? [`${first}<=${last}`] : [];
  const place = { cursor, limit: keys.length, counted: true };
  const upTo = pageParameters({ ...read, fields: [], conditions: [...conditions, ...until] }, place);
  const page = await retryWithHalfSize(keys.length, () =>
    api.list(read.table, upTo, { ...options, regular: undefined }),
  );
  if (!page) return false;
  const found = page.records.filter((record) => Object.keys(record).length > 0).length;
  const { totalCount = found } = page;
  return found === keys.length && (until.length === 0 || totalCount <= found);
}
