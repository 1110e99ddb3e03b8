import type { KeyTally, TalliedRange } from './key-tally.ts';
import type { KeyRange } from './page-parameters.ts';

/** A read of which fewer records arrived than the instance counts. */
export interface ShortRead {
  /** What arrived. */
  readonly tally: KeyTally;
  /** Records of a range as the instance counts them; undefined when it does not tell. */
  readonly count: (range: KeyRange) => Promise<number | undefined>;
  /** Reads a range again; resolves to how many records it has, undefined when the instance cancels it. */
  readonly read: (range: KeyRange) => Promise<number | undefined>;
  /** Records that are read again at once; a larger range is divided first. */
  readonly small: number;
}

/** Ranges that are read again: those with most missing. */
const lookedAt = 3;

/** Times that a range must have fewer records than it counts: some may go while it is read. */
const confirmations = 2;

/** Whether records are missing because the user may not read them, or because they went; unknown where the instance does not count. */
export type Missing = 'hidden' | 'gone' | 'unknown';

/**
 * Tells records that the user may not read from those that went while others came: where records are missing, a small range
 * is counted, read and counted again. In that short time hardly anything changes, and what is missing still is hidden.
 */
export async function whyMissing(given: ShortRead): Promise<Missing> {
  let isUntold = false;
  const noticed = (ask: ShortRead['count']) => async (range: KeyRange) => {
    const told = await ask(range);
    isUntold ||= told === undefined;
    return told;
  };
  const short = { ...given, count: noticed(given.count), read: noticed(given.read) };
  for (const each of await mostMissing(short, short.tally.ranges(), lookedAt)) {
    const isSmall = each.counted <= short.small;
    const [narrow] = isSmall ? [each] : await mostMissing(short, short.tally.ranges(each.tallied), 1);
    if (narrow && (await staysShort(short, narrow.tallied.range))) return 'hidden';
  }
  return isUntold ? 'unknown' : 'gone';
}

interface CountedRange {
  readonly tallied: TalliedRange;
  readonly counted: number;
}

async function mostMissing(
  { count }: ShortRead,
  ranges: readonly TalliedRange[],
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
