import type { JudgingSql, RuleSide } from '../dialect.ts';

/**
 * Standard SQL of judging: anchors and events of an entity are read in one order, in which windows find and count. A window
 * begins with the first row always, so that an engine only adds to it.
 */
export const standardJudging: JudgingSql = {
  interval: (microseconds) => `INTERVAL '${microseconds} microseconds'`,
  microseconds: (time) => `CAST(extract(epoch FROM ${time}) * 1000000 AS BIGINT)`,
  unionType: ([first, ...others]) => (others.every((type) => type === first) ? first : 'text'),
  nearest(anchor, events, side) {
    const near = `${side === 'after' ? 'min' : 'max'}(CASE WHEN is_event THEN time END)`;
    return `SELECT judged, entity, time, near FROM (
  SELECT judged, entity, time, is_event, ${near} OVER (${beside(side)}) AS near FROM (${together(anchor, events)}) AS place
) AS placed WHERE NOT is_event`;
  },
  countBeside(anchor, events, side, within) {
    const counted = `count(CASE WHEN is_event THEN 1 END)`;
    const beyond = `${counted} OVER (${beside(side)})`;
    const found = within === undefined ? beyond : near(counted, side, within);
    return `SELECT judged, time, found FROM (
  SELECT judged, time, is_event, ${found} AS found FROM (${together(anchor, events)}) AS place
) AS placed WHERE NOT is_event`;
  },
};

function together(anchor: string, events: string): string {
  return `SELECT judged, entity, id, time, FALSE AS is_event FROM ${anchor} UNION ALL SELECT NULL, entity, id, time, TRUE FROM ${events}`;
}

/** The window of all rows beyond one in the order of ids. */
function beside(side: RuleSide): string {
  return `PARTITION BY entity ORDER BY id${side === 'after' ? ' DESC' : ''} RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;
}

/** Differences of numbers count the events between two places. */
function near(counted: string, side: RuleSide, within: number): string {
  const over = (order: string, end: string): string =>
    `${counted} OVER (PARTITION BY entity ORDER BY ${order} RANGE BETWEEN UNBOUNDED PRECEDING AND ${end})`;
  const interval = (microseconds: number): string => standardJudging.interval(microseconds);
  return side === 'after'
    ? `${over('time', `${interval(within)} FOLLOWING`)} - ${over('id', 'CURRENT ROW')}`
    : // The last moment of the limit counts, so those before it are further away by the smallest difference of times.
      `${over('id', '1 PRECEDING')} - ${over('time', `${interval(within + 1)} PRECEDING`)}`;
}
