import { noEnd } from '../analysis/event-place.ts';
import { duckdb } from '../dialects/duckdb.ts';
import type { OpenStore } from './open-store.ts';
import { groupBy } from './group-by.ts';
import { type DayFindings, type TimesOfDay, judgeTimesOfDay } from './time-of-day.ts';

/** The times of day of an element, or of one of its activities: of its starts, or of its changes. */
export interface ElementTimes extends TimesOfDay, DayFindings {
  readonly element: string;
  readonly lifecycle: string;
  /** Undefined for all of them. */
  readonly activity: string | undefined;
}

const { quote } = duckdb.literals;

/** An element is odd as a whole if so many of its events are of odd activities. */
const mostlyShare = 0.8;

const quarterMicroseconds = 900_000_000;
const dayMicroseconds = 86_400_000_000;

/** SQL of the minutes since midnight of a time at a whole quarter of an hour; NULL for others. */
export function quarterSql(time: string): string {
  const microseconds = `epoch_us(${time})`;
  return `CASE WHEN ${microseconds} % ${quarterMicroseconds} = 0 THEN ((${microseconds} % ${dayMicroseconds}) + ${dayMicroseconds}) % ${dayMicroseconds} // 60000000 END`;
}

/**
 * The times of day of elements, in one pass over the events; those of activities, where something is odd in some of an
 * element only.
 */
export async function readTimesOfDay({ store, options }: OpenStore): Promise<readonly ElementTimes[]> {
  const rows = await store.query(
    `SELECT element, lifecycle, activity, ${quarterSql('v.time')} AS quarter, count(*) AS events FROM event AS v WHERE ${noEnd('v')}
GROUP BY ALL ORDER BY element, lifecycle, activity, quarter`,
    options,
  );
  const isOdd = ({ spike, areRounded }: ElementTimes): boolean => spike !== undefined || areRounded;
  return groupBy(rows, (row) => `${String(row['element'])}\0${String(row['lifecycle'])}`).flatMap((counted) => {
    const whole = timesOf(counted, undefined);
    const byActivity = groupBy(counted, (row) => String(row['activity']));
    if (byActivity.length === 1) return [whole];
    const odd = byActivity.map((rows) => timesOf(rows, String(rows[0]['activity']))).filter(isOdd);
    const events = odd.reduce((sum, { total }) => sum + total, 0);
    return odd.length === 0 || events >= whole.total * mostlyShare ? [whole] : odd;
  });
}

type CountedRow = Readonly<Record<string, unknown>>;

function timesOf(rows: readonly [CountedRow, ...CountedRow[]], activity: string | undefined): ElementTimes {
  const quarters = new Map<number, number>();
  let total = 0;
  for (const { quarter, events } of rows) {
    total += Number(events);
    if (quarter !== null) quarters.set(Number(quarter), (quarters.get(Number(quarter)) ?? 0) + Number(events));
  }
  const times = { total, quarters };
  const [{ element, lifecycle }] = rows;
  return { element: String(element), lifecycle: String(lifecycle), activity, ...times, ...judgeTimesOfDay(times) };
}

/** SQL of the condition that a row of `event` is one of these. */
export function isOfTimes({ element, lifecycle, activity }: ElementTimes): string {
  const ofActivity = activity === undefined ? '' : ` AND activity = ${quote(activity)}`;
  return `element = ${quote(element)} AND lifecycle = ${quote(lifecycle)}${ofActivity}`;
}

/** Such as `00:00 UTC` or `22:00 and 23:00 UTC`. */
export function minutesText(minutes: readonly number[]): string {
  const texts = minutes.map(
    (each) => `${String(Math.floor(each / 60)).padStart(2, '0')}:${String(each % 60).padStart(2, '0')}`,
  );
  return `${texts.join(' and ')} UTC`;
}
