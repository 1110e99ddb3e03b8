import type { ColumnProfile } from './column-profile.ts';
import { nameWords } from './name-words.ts';

/** The column with the time of day that belongs to a date: it shares most words with it, or stands behind it. */
export function timeOfDayOf(date: ColumnProfile, profiles: readonly ColumnProfile[]): ColumnProfile | undefined {
  if (date.sense !== 'date') return undefined;
  const times = profiles.filter(({ sense }) => sense === 'time');
  const words = new Set(nameWords(date.name));
  const shared = (time: ColumnProfile): number => nameWords(time.name).filter((word) => words.has(word)).length;
  const [best] = times.toSorted((left, right) => shared(right) - shared(left));
  if (best && shared(best) > 0) return best;
  const next = profiles[profiles.indexOf(date) + 1];
  return next?.sense === 'time' ? next : undefined;
}
