import type { ColumnProfile } from './column-profile.ts';
import { nameWords } from './name-words.ts';

/** The column with the time of day that belongs to a date: it shares a word with it, or its first letters, or stands behind it. */
export function timeOfDayOf(date: ColumnProfile, profiles: readonly ColumnProfile[]): ColumnProfile | undefined {
  if (date.sense !== 'date') return undefined;
  const times = profiles.filter(({ sense }) => sense === 'time');
  const words = new Set(nameWords(date.name));
  const shared = (time: ColumnProfile): number => nameWords(time.name).filter((word) => words.has(word)).length;
  const [best] = times.toSorted((left, right) => shared(right) - shared(left));
  if (best && shared(best) > 0) return best;
  const place = profiles.indexOf(date);
  const beside = [profiles[place + 1], profiles[place - 1]].filter((each) => each?.sense === 'time');
  const isAlike = (time: ColumnProfile | undefined): boolean => time !== undefined && beginAlike(date.name, time.name);
  const next = profiles[place + 1];
  // A time of day between two dates belongs to the one that is called like it.
  const after = profiles[place + 2];
  const isNext = next?.sense === 'time' && !(after?.sense === 'date' && beginAlike(after.name, next.name));
  return beside.find(isAlike) ?? (isNext ? next : undefined);
}

/** `ERDAT` and `ERZET`, `CPUDT` and `CPUTM`, `UDATE` and `UTIME`. */
function beginAlike(date: string, time: string): boolean {
  const start = (name: string): string => name.toLowerCase().replace(/(?:date?|dt|datum|day|time|zet|zeit|tm|ti)$/, '');
  return start(date) !== '' && start(date) === start(time);
}
