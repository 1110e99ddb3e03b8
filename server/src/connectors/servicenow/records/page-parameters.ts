import type { PageSize } from './page-size.ts';
import type { DisplayValue, TableParameters } from '../api/parameters.ts';

/** A paged read of a table. */
export interface PagedRead {
  readonly table: string;
  /** Fields that together identify records and are never empty; default: `sys_id`. */
  readonly keys?: readonly string[];
  /** Encoded queries without order, one of which a record matches; empty for all records. */
  readonly branches: readonly string[];
  /** Always includes the keys. */
  readonly fields: readonly string[];
  readonly displayValue: DisplayValue;
  /** Maximum page size. */
  readonly pageSize: number;
  /** Initial page size, if known; default: learnt from pages. */
  readonly sizes?: PageSize;
  /** Encoded conditions of every branch. */
  readonly conditions?: readonly string[];
  /** Range of the first key. */
  readonly range?: KeyRange;
  /** Estimated number of records, once known; pages near the end are counted. */
  readonly expected?: () => number | undefined;
  /** Called when all pages have arrived, before the last records are consumed. */
  readonly onEnd?: () => void;
  /** Counts records with these conditions, including unreadable ones; undefined if unavailable. */
  readonly count?: (conditions: readonly string[]) => Promise<number | undefined>;
}

/** Half-open; a missing end is open. */
export interface KeyRange {
  readonly from?: string | undefined;
  readonly below?: string | undefined;
}

/** Maximum length of a field list in a URL; above it all fields are requested. */
const longestFieldList = 3000;

/** The keys of the last record of a page. */
export type Cursor = readonly string[];

/** Excludes records that are not rows of the view. */
export const ofRecords: readonly string[] = ['sys_id'];

/** Parameters of one page, also for Show Query. */
export function pageParameters(
  read: PagedRead,
  place: {
    readonly limit: number;
    readonly cursor?: Cursor | undefined;
    readonly offset?: number;
    readonly counted?: boolean;
  },
): TableParameters {
  const { keys = ofRecords, conditions = [] } = read;
  const fields = namedFields(read);
  // Every combination of a cursor condition and a branch is a separate query.
  const query = placesBehind(read, place.cursor)
    .map((behind) => joined(read.branches, [...conditions, ...behind]).join('^'))
    .join('^NQ');
  return {
    query: [...(query === '' ? [] : [query]), ...keys.map((key) => `ORDERBY${key}`)].join('^'),
    fields,
    limit: place.limit,
    ...(place.offset && { offset: place.offset }),
    displayValue: read.displayValue,
    excludeReferenceLink: true,
    noCount: place.counted ? undefined : true,
    suppressPaginationHeader: true,
  };
}

/**
 * Encoded conditions, one of which holds for every record after a cursor: with several keys, the first differing one is
 * larger.
 */
function placesBehind(read: PagedRead, cursor: Cursor | undefined): readonly (readonly string[])[] {
  const { keys = ofRecords } = read;
  if (keys.length <= 1 || !cursor) return [keyConditions(read, cursor?.[0])];
  const { range: { below } = {} } = read;
  const end = below === undefined ? [] : [`${keys[0]}<${below}`];
  return keys.map((key, index) => [
    ...keys.slice(0, index).map((before, at) => `${before}=${cursor[at]}`),
    `${key}>${cursor[index]}`,
    ...end,
  ]);
}

/** The requested fields; undefined for all fields. */
export function namedFields({
  fields,
  keys = ofRecords,
}: Pick<PagedRead, 'fields' | 'keys'>): readonly string[] | undefined {
  const names = [...new Set([...keys, ...fields])];
  // Fields behind references are returned by name only.
  const isNamed = names.join(',').length <= longestFieldList || names.some((field) => field.includes('.'));
  return isNamed ? names : undefined;
}

/** Encoded conditions of the key range after the cursor. */
export function keyConditions(
  { range = {}, keys: [key = 'sys_id'] = ofRecords }: Pick<PagedRead, 'range' | 'keys'>,
  cursor?: string,
): readonly string[] {
  const { from, below } = range;
  return [
    ...(cursor !== undefined ? [`${key}>${cursor}`] : from !== undefined ? [`${key}>=${from}`] : []),
    ...(below !== undefined ? [`${key}<${below}`] : []),
  ];
}

/** One query for all branches, each with the common conditions. */
export function joined(branches: readonly string[], conditions: readonly string[]): readonly string[] {
  if (branches.length === 0) return conditions;
  return [branches.map((branch) => [branch, ...conditions].join('^')).join('^NQ')];
}
