/** Events of a day: days since 1970, in order. */
export interface DayCount {
  readonly day: number;
  readonly events: number;
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
/** Events that are missing at least, by the days before as well as by those after. */
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
    const before = rate(days, Math.max(first, day - aroundDays + 1), day);
    const after = rate(days, next, Math.min(last, next + aroundDays - 1));
    const usual = Math.min(before, after);
    const expected = usual * length;
    return usual >= leastADay && expected >= leastExpected ? [{ from: day + 1, to: next - 1, expected }] : [];
  });
  return gaps.length > mostGaps ? [] : gaps;
}

/** Events a day, of some days. */
function rate(days: readonly DayCount[], from: number, to: number): number {
  const events = days.filter(({ day }) => day >= from && day <= to).reduce((sum, day) => sum + day.events, 0);
  // The first days alone would tell of a rate that the process never had.
  return events / Math.max(7, to - from + 1);
}
