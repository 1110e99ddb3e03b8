import type { Times } from '../dialect.ts';
import { inZone, isFinite, offsetPattern } from '../standard/times.ts';

export const duckdbTimes: Times = {
  movable: ['290308-12-25 (BC)', '294247-01-08'],
  isFinite,
  inZone,
  /** `0044-03-15 12:00:00 BC`, as PostgreSQL writes it, is `0044-03-15 (BC) 12:00:00` in DuckDB. */
  eraText: (text) =>
    `(CASE WHEN ends_with(${text}, ' BC') THEN regexp_replace(${text}, '^\\s*([^ T]+)(.*) BC$', '\\1 (BC)\\2') ELSE ${text} END)`,
  hasOffset: (text) => `regexp_matches(${text}, '${offsetPattern}')`,
  zonedText: (text) => `TRY_CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'`,
  naiveText: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
};
