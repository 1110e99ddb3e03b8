import type { PageSize } from './page-size.ts';
import type { DisplayValue, TableParameters } from '../api/parameters.ts';

/** Records of a table to be read to the last one. */
export interface PagedRead {
  readonly table: string;
  /** Fields that together tell records apart, and that none of them lacks; `sys_id` when not given. */
  readonly keys?: readonly string[];
  /** Encoded queries without order, of which a record meets one; empty for all. */
  readonly branches: readonly string[];
  /** The keys are always among them. */
  readonly fields: readonly string[];
  readonly displayValue: DisplayValue;
  /** Records asked for at once, at most. */
  readonly pageSize: number;
  /** How many of them, where that is known better; learnt from the pages when not given. */
  readonly sizes?: PageSize;
  /** Encoded conditions that hold for every branch. */
  readonly conditions?: readonly string[];
  /** Only records whose key, the first of them where there are several, is in it. */
  readonly range?: KeyRange;
  /** About how many records there are, once that is known; pages near the end are counted then. */
  readonly expected?: () => number | undefined;
  /** Hears that all pages have arrived, before the records of the last one are taken. */
  readonly onEnd?: () => void;
  /** Counts records that meet these conditions, whatever the user may read; undefined when nobody says. */
  readonly count?: (conditions: readonly string[]) => Promise<number | undefined>;
}

/** Half-open; an end that is not given is open. */
export interface KeyRange {
  readonly from?: string;
  readonly below?: string;
}

/** Characters: nobody says how long an address may be, so all fields are asked for rather than very many by name. */
const longestFieldList = 3000;

/** The keys of the last record of a page. */
export type Cursor = readonly string[];

/** Of records that are no rows of a view. */
export const ofRecords: readonly string[] = ['sys_id'];

/** Parameters of one page, as Show Query prints them too. */
export function pageParameters(
  read: PagedRead,
  place: { readonly limit: number; readonly cursor?: Cursor; readonly offset?: number; readonly counted?: boolean },
): TableParameters {
  const { keys = ofRecords, conditions = [] } = read;
  const fields = namedFields(read);
  // Every place is a query of its own, as is every branch.
  const query = placesBehind(read, place.cursor)
    .map((behind) => joined(read.branches, [...conditions, ...behind]).join('^'))
    .join('^NQ');
  return {
    query: [...(query === '' ? [] : [query]), ...keys.map((key) => `ORDERBY${key}`)].join('^'),
    ...(fields && { fields }),
    limit: place.limit,
    ...(place.offset && { offset: place.offset }),
    displayValue: read.displayValue,
    excludeReferenceLink: true,
    ...(!place.counted && { noCount: true }),
    suppressPaginationHeader: true,
  };
}

/** Encoded conditions of which one holds for every record behind a cursor: of several keys the first one that differs is larger. */
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

/** The fields that are asked for by name; undefined when all there are come. */
export function namedFields({
  fields,
  keys = ofRecords,
}: Pick<PagedRead, 'fields' | 'keys'>): readonly string[] | undefined {
  const names = [...new Set([...keys, ...fields])];
  // What is behind a reference comes only by name.
  const isNamed = names.join(',').length <= longestFieldList || names.some((field) => field.includes('.'));
  return isNamed ? names : undefined;
}

/** Encoded conditions that hold for the range of keys, or what of it is behind the cursor. */
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

/** One query for all branches, each of which has to repeat the conditions that hold for all. */
export function joined(branches: readonly string[], conditions: readonly string[]): readonly string[] {
  if (branches.length === 0) return conditions;
  return [branches.map((branch) => [branch, ...conditions].join('^')).join('^NQ')];
}
