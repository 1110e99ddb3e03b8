/** Events of a day: days since 1970, in order. */
export interface DayCount {
  readonly day: number;
  readonly events: number;
  /** Entities with one of them: the events of an entity come together, and tell less of how usual a day without any is. */
  readonly entities: number;
}

export interface TimeGap {
  /** The first and the last day without events. */
  readonly from: number;
  readonly to: number;
  /** Events that the days around it would make expect. */
  readonly expected: number;
}

/** Days without events that are a gap. */
const leastDays = 7;
/** Days around a gap that are compared. */
const aroundDays = 28;
/** Entities with an event that are missing at least, by the days before as well as by those after. */
const leastExpected = 20;
/** Where fewer happen, some weeks have none. */
const leastADay = 1;
/** More gaps than that are how the process works. */
const mostGaps = 3;

/** A week or more without events where the days before and after have many. Pure. */
export function timeGaps(days: readonly DayCount[]): readonly TimeGap[] {
  const [first, last] = [days[0]?.day ?? 0, days.at(-1)?.day ?? 0];
  const gaps = days.flatMap(({ day }, index): readonly TimeGap[] => {
    const next = days[index + 1]?.day;
    if (next === undefined || next - day - 1 < leastDays) return [];
    const length = next - day - 1;
    const usual = (what: 'events' | 'entities'): number =>
      Math.min(
        rate(days, what, Math.max(first, day - aroundDays + 1), day),
        rate(days, what, next, Math.min(last, next + aroundDays - 1)),
      );
    const entities = usual('entities');
    return entities >= leastADay && entities * length >= leastExpected
      ? [{ from: day + 1, to: next - 1, expected: usual('events') * length }]
      : [];
  });
  return gaps.length > mostGaps ? [] : gaps;
}

/** How many a day, of some days. */
function rate(days: readonly DayCount[], what: 'events' | 'entities', from: number, to: number): number {
  const sum = days.filter(({ day }) => day >= from && day <= to).reduce((all, day) => all + day[what], 0);
  // The first days alone would tell of a rate that the process never had.
  return sum / Math.max(7, to - from + 1);
}
