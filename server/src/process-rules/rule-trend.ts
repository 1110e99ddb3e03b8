import type { RuleDetails } from '../../../protocol/event-graph.ts';

/** How many a rule concerns on a day (`2026-11-24`), and how many of them break it. */
export interface JudgedDay {
  readonly start: string;
  readonly concerned: number;
  readonly broken: number;
}

const dayMs = 86_400_000;
/** More columns than this are too thin to read. */
const mostColumns = 60;
/** Fewer weeks than this show less than their days. */
const fewestWeeks = 6;

const units: readonly (readonly [name: string, days: number, startOf: (day: Date) => Date])[] = [
  ['day', 1, (day) => day],
  ['week', 7, (day) => new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs)],
  ['month', 30.44, (day) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1))],
  ['quarter', 91.3, (day) => new Date(Date.UTC(day.getUTCFullYear(), Math.floor(day.getUTCMonth() / 3) * 3, 1))],
  ['year', 365.25, (day) => new Date(Date.UTC(day.getUTCFullYear(), 0, 1))],
];

/** Days summed up by week (from Monday), month or longer, by how far they are apart. */
export function trendOf(days: readonly JudgedDay[]): RuleDetails['trend'] {
  const [first, last] = [days[0], days.at(-1)];
  const span = first && last ? (Date.parse(last.start) - Date.parse(first.start)) / dayMs + 1 : 0;
  const fits = ([name, length]: (typeof units)[number]): boolean =>
    name === 'day' ? span < 7 * fewestWeeks : span / length <= mostColumns;
  const [unit, , startOf] = units.find(fits) ?? (units.at(-1) as (typeof units)[number]);
  const buckets = new Map<string, JudgedDay>();
  for (const { start, concerned, broken } of days) {
    const begin = startOf(new Date(`${start}T00:00:00Z`)).toISOString();
    const before = buckets.get(begin) ?? { start: begin, concerned: 0, broken: 0 };
    buckets.set(begin, { start: begin, concerned: before.concerned + concerned, broken: before.broken + broken });
  }
  return { unit, buckets: [...buckets.values()] };
}
