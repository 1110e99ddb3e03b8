import { duckdbTypes } from './types.ts';
import { standardJudging } from '../standard/judging.ts';
import type { JudgingSql } from '../standard/build-sql.ts';

/** DuckDB has a join with the nearest row (ASOF), which takes a third of the time of windows. */
export const duckdbJudging: JudgingSql = {
  ...standardJudging,
  interval: (microseconds) => `to_microseconds(${microseconds})`,
  microseconds: (time) => `epoch_us(${time})`,
  /** DuckDB unites equal types, numbers among each other, and dates and times; others have no common type, such as a STRUCT. */
  unionType(types) {
    const senses = types.map((type) => duckdbTypes.sense(type));
    const areAll = (...expected: readonly string[]): boolean => senses.every((sense) => expected.includes(sense));
    const isUnited = new Set(types).size === 1 || areAll('integer', 'number') || areAll('date', 'timestamp');
    return isUnited ? undefined : 'VARCHAR';
  },
  nearest: (anchor, events, side) =>
    `SELECT ${anchor}.judged, ${anchor}.entity, ${anchor}.time, nearest.time AS near
FROM ${anchor} ASOF LEFT JOIN ${events} AS nearest ON nearest.entity = ${anchor}.entity AND nearest.id ${side === 'after' ? '>' : '<'} ${anchor}.id`,
  countBeside(anchor, events, side, within) {
    const isBefore = side === 'before';
    const limit =
      within === undefined ? undefined : `${anchor}.time ${isBefore ? '-' : '+'} ${duckdbJudging.interval(within)}`;
    const near = `ASOF LEFT JOIN numbered AS near ON near.entity = ${anchor}.entity AND near.id ${isBefore ? '<' : '<='} ${anchor}.id`;
    const numbered = `numbered AS (SELECT *, row_number() OVER (PARTITION BY entity ORDER BY id) AS number FROM ${events})`;
    // The last of several events at one time: the join would take any of them.
    const times = 'event_time AS (SELECT entity, time, max(number) AS number FROM numbered GROUP BY entity, time)';
    const total = `total AS (SELECT entity, count(*) AS number FROM ${events} GROUP BY entity)`;
    const far = limit
      ? `ASOF LEFT JOIN event_time AS far ON far.entity = ${anchor}.entity AND far.time ${isBefore ? '<' : '<='} ${limit}`
      : `LEFT JOIN total AS far ON far.entity = ${anchor}.entity`;
    const [nearNumber, farNumber] = ['coalesce(near.number, 0)', 'coalesce(far.number, 0)'];
    const found = isBefore ? `${nearNumber}${limit ? ` - ${farNumber}` : ''}` : `${farNumber} - ${nearNumber}`;
    const usesFar = limit !== undefined || !isBefore;
    return `WITH ${[numbered, ...(usesFar ? [limit ? times : total] : [])].join(', ')}
SELECT ${anchor}.judged, ${anchor}.time, ${found} AS found FROM ${anchor} ${near}${usesFar ? ` ${far}` : ''}`;
  },
};
