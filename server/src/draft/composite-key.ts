import { type ColumnProfile, isTime, isUnique } from './column-profile.ts';
import { suggests } from './name-words.ts';
import { noRank, type RankedSample } from './ranked-sample.ts';

/** Most columns of a key, and the columns of a table that are tried. */
const [maxColumns, maxTried] = [4, 12];

/** Columns with more cost differ together by accident. */
const maxMeanCost = 2.25;

/** Columns that identify rows together, with what speaks against them; the best has the least cost. */
interface CompositeKey {
  readonly columns: readonly ColumnProfile[];
  readonly cost: number;
}

/**
 * Keys of two to four columns, the best first: no row of the sample lacks or shares one, and no part of a key is a key. Keys
 * usually stand first in a table; measures, names and times seldom are a part of one.
 * @param isKey false for columns that are known to repeat outside the sample
 */
export function compositeKeys(
  profiles: readonly ColumnProfile[],
  sample: RankedSample,
  isKey: (columns: readonly string[]) => boolean = () => true,
): readonly CompositeKey[] {
  const parts = partsOfTimes(profiles, sample);
  const varying = profiles.filter(
    (each) => (each.distinct ?? 0) > 1 && !(isUnique(each) && isKey([each.name])) && !parts.has(each.name),
  );
  const tried = varying
    .flatMap((profile, place) => (canBePart(profile) ? [{ profile, place, cost: costOf(profile) }] : []))
    .toSorted((one, two) => one.cost + one.place / 4 - (two.cost + two.place / 4))
    .slice(0, maxTried)
    .toSorted((one, two) => one.place - two.place);
  const found: CompositeKey[] = [];
  let open: (typeof tried)[] = tried.map((each) => [each]);
  for (let size = 2; size <= maxColumns; size++) {
    const longer = open.flatMap((part) => {
      const last = part.at(-1)?.place ?? 0;
      return tried.filter(({ place }) => place > last).map((next) => [...part, next]);
    });
    open = longer.filter((part) => {
      const columns = part.map(({ profile }) => profile);
      if (found.some((key) => key.columns.every((column) => columns.includes(column)))) return false;
      if (!areUnique(columns, sample) || !isKey(columns.map(({ name }) => name))) return true;
      // Columns that are left out in front of a key, or within it.
      const left = (part.at(-1)?.place ?? 0) + 1 - part.length;
      const cost = part.reduce((sum, each) => sum + 1 + each.cost, 0) + Math.min(1.5, left / 4);
      found.push({ columns, cost });
      return false;
    });
  }
  return found
    .filter(({ columns, cost }) => cost <= maxMeanCost * columns.length)
    .toSorted((one, two) => one.cost - two.cost);
}

function canBePart({ sense, isList, filled, index, meanLength }: ColumnProfile): boolean {
  const isCode =
    sense === 'text' || sense === 'integer' || sense === 'other' || sense === 'timestamp' || sense === 'date';
  return index !== undefined && isCode && !isList && filled === 1 && meanLength <= 60;
}

function costOf(profile: ColumnProfile): number {
  const { name, meanLength } = profile;
  const isNumber = profile.sense === 'integer';
  return (
    (suggests(name, 'measure') ? 4 : 0) +
    (suggests(name, 'person') && !suggests(name, 'identifier') ? 1.5 : 0) +
    (isTime(profile) || profile.timeText ? 0.5 : 0) +
    (profile.sense === 'text' && meanLength > 25 && profile.withDigits < 0.8 ? 2 : 0) +
    (isNumber && profile.isScattered === true ? 1.5 : 0) -
    (suggests(name, 'identifier') || suggests(name, 'sequence') ? 0.5 : 0)
  );
}

/** Least number of columns with year, month, day, hour … that a time makes redundant; one alone may be a fiscal year. */
const minParts = 3;

/** Whole numbers that a timestamp determines, such as its year, month and day. */
function partsOfTimes(profiles: readonly ColumnProfile[], sample: RankedSample): ReadonlySet<string> {
  const times = profiles.filter(({ sense, index }) => sense === 'timestamp' && index !== undefined);
  const numbers = profiles.filter(
    ({ sense, index, distinct = 0 }) => sense === 'integer' && index !== undefined && distinct <= 366,
  );
  for (const time of times.slice(0, maxTried)) {
    const parts = numbers.filter((number) => determines(time, number, sample)).map(({ name }) => name);
    if (parts.length >= minParts) return new Set(parts);
  }
  return new Set();
}

/** Whether all rows with one time have one value; a time that hardly repeats determines anything. */
function determines(time: ColumnProfile, number: ColumnProfile, sample: RankedSample): boolean {
  if ((time.distinct ?? 0) > 0.8 * sample.rowCount) return false;
  const [of, to] = [sample.ranks(time), sample.ranks(number)];
  const known = new Map<number, number>();
  for (let row = 0; row < sample.rowCount; row++) {
    const [from = noRank, value = noRank] = [of[row], to[row]];
    const earlier = known.get(from);
    if (earlier !== undefined && earlier !== value) return false;
    known.set(from, value);
  }
  return true;
}

/** Whether no two rows have the same values; stops at the first that have. */
function areUnique(columns: readonly ColumnProfile[], sample: RankedSample): boolean {
  const ranks = columns.map((column) => sample.ranks(column));
  const seen = new Set<string>();
  for (let row = 0; row < sample.rowCount; row++) {
    const values = ranks.map((of) => of[row] ?? noRank);
    if (values.includes(noRank)) return false;
    seen.add(values.join());
    if (seen.size <= row) return false;
  }
  return true;
}
