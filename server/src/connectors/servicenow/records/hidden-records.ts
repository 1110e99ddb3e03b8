import type { KeyCounter, KeyRangeCount } from './key-counter.ts';
import type { KeyRange } from './page-parameters.ts';

/** A read that returned fewer records than counted. */
interface ShortRead {
  /** Received records by key range. */
  readonly tally: KeyCounter;
  /** Counts the records of a range; undefined if unavailable. */
  readonly count: (range: KeyRange) => Promise<number | undefined>;
  /** Reads a range again; resolves to its number of records, undefined when cancelled by the instance. */
  readonly read: (range: KeyRange) => Promise<number | undefined>;
  /** Maximum size of a range to read again; larger ones are divided first. */
  readonly small: number;
}

/** Number of ranges to read again: those with the largest shortfall. */
const lookedAt = 3;

/** Number of consecutive shortfalls that prove hidden records, because records may be deleted during a read. */
const confirmations = 2;

/** Whether records are missing for lack of permission, or because they were deleted; unknown without counts. */
export type Missing = 'hidden' | 'gone' | 'unknown';

/**
 * Distinguishes hidden records from deleted ones: where records are missing, a small range is counted, read and counted
 * again. In that short time hardly anything changes, so remaining gaps are hidden records.
 */
export async function missingReason(given: ShortRead): Promise<Missing> {
  let isUnknown = false;
  const noticed = (ask: ShortRead['count']) => async (range: KeyRange) => {
    const told = await ask(range);
    isUnknown ||= told === undefined;
    return told;
  };
  const short = { ...given, count: noticed(given.count), read: noticed(given.read) };
  for (const each of await maxMissing(short, short.tally.ranges(), lookedAt)) {
    const isSmall = each.counted <= short.small;
    const [narrow] = isSmall ? [each] : await maxMissing(short, short.tally.ranges(each.tallied), 1);
    if (narrow && (await staysShort(short, narrow.tallied.range))) return 'hidden';
  }
  return isUnknown ? 'unknown' : 'gone';
}

interface CountedRange {
  readonly tallied: KeyRangeCount;
  readonly counted: number;
}

async function maxMissing(
  { count }: ShortRead,
  ranges: readonly KeyRangeCount[],
  most: number,
): Promise<readonly CountedRange[]> {
  const found: CountedRange[] = [];
  for (const tallied of ranges) found.push({ tallied, counted: (await count(tallied.range)) ?? 0 });
  const missing = ({ tallied, counted }: CountedRange): number => counted - tallied.keys;
  const short = found.filter((range) => missing(range) > 0);
  return short.sort((one, other) => missing(other) - missing(one)).slice(0, most);
}

async function staysShort({ count, read }: ShortRead, range: KeyRange): Promise<boolean> {
  for (let confirmed = 0; confirmed < confirmations; confirmed += 1) {
    const before = await count(range);
    const records = await read(range);
    const after = await count(range);
    if (before === undefined || records === undefined || after === undefined) return false;
    if (records >= Math.min(before, after)) return false;
  }
  return true;
}
