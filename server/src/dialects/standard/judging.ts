import type { JudgingSql, RuleSide } from './build-sql.ts';

/** How window frames measure the distance between times. */
interface WindowClock {
  /** SQL of the sort key of windows over the column `time`. */
  readonly order: string;
  /** SQL of the difference of two of these. */
  distance(microseconds: number): string;
}

/**
 * Judging by windows: anchors and events of an entity are read in one order, in which windows search and count. A
 * window always begins with the first row, so that an engine only adds rows.
 */
export function windowJudging(clock: WindowClock): Pick<JudgingSql, 'nearest' | 'countBeside'> {
  return {
    nearest(anchor, events, side) {
      const near = `${side === 'after' ? 'min' : 'max'}(CASE WHEN is_event THEN time END)`;
      return `SELECT judged, entity, time, near FROM (
  SELECT judged, entity, time, is_event, ${near} OVER (${beside(side)}) AS near FROM (${together(anchor, events)}) AS place
) AS placed WHERE NOT is_event`;
    },
    countBeside(anchor, events, side, within) {
      const counted = `count(CASE WHEN is_event THEN 1 END)`;
      const beyond = `${counted} OVER (${beside(side)})`;
      const found = within === undefined ? beyond : near(counted, side, within, clock);
      return `SELECT judged, time, found FROM (
  SELECT judged, time, is_event, ${found} AS found FROM (${together(anchor, events)}) AS place
) AS placed WHERE NOT is_event`;
    },
  };
}

/** Judging where times are whole numbers of microseconds. */
export function judgingOfNumbers(judging: JudgingSql): JudgingSql {
  const { countBeside } = windowJudging({ order: 'time', distance: String });
  return { ...judging, countBeside, interval: String, microseconds: (time) => time };
}

function interval(microseconds: number): string {
  return `INTERVAL '${microseconds} microseconds'`;
}

/** Standard SQL of judging. */
export const standardJudging: JudgingSql = {
  ...windowJudging({ order: 'time', distance: interval }),
  interval,
  keptTable: 'MATERIALIZED ',
  inlinedTable: 'NOT MATERIALIZED ',
  microseconds: (time) => `CAST(extract(epoch FROM ${time}) * 1000000 AS BIGINT)`,
  unionType: ([first, ...others]) => (others.every((type) => type === first) ? first : 'text'),
};

function together(anchor: string, events: string): string {
  return `SELECT judged, entity, id, time, FALSE AS is_event FROM ${anchor} UNION ALL SELECT NULL, entity, id, time, TRUE FROM ${events}`;
}

/** The window of all rows beyond one in the order of ids. */
function beside(side: RuleSide): string {
  return `PARTITION BY entity ORDER BY id${side === 'after' ? ' DESC' : ''} RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;
}

/** Differences of numbers count the events between two places. */
function near(counted: string, side: RuleSide, within: number, { order: time, distance }: WindowClock): string {
  const over = (order: string, end: string): string =>
    `${counted} OVER (PARTITION BY entity ORDER BY ${order} RANGE BETWEEN UNBOUNDED PRECEDING AND ${end})`;
  return side === 'after'
    ? `${over(time, `${distance(within)} FOLLOWING`)} - ${over('id', 'CURRENT ROW')}`
    : // The last moment of the limit counts, so those before it are further away by the smallest difference of times.
      `${over('id', '1 PRECEDING')} - ${over(time, `${distance(within + 1)} PRECEDING`)}`;
}
