import type { RangeSql } from '../standard/build-sql.ts';

/** Few enough for small graphs; no more processors than this number events (docs/engine-source.md, the model on paper). */
const count = 256;

/** Beyond these all numbers share one range: with infinite or extreme ones no mean could be calculated. */
const limit = '1e30';

export const trinoRanges: RangeSql = {
  count,
  // A statement has a limited number of stages, and each join is some.
  selectsAtOnce: 8,
  timeNumber: (time) => `round(to_unixtime(with_timezone(${time}, 'UTC')) * 1e6)`,
  number: (value) =>
    `(CASE WHEN is_nan(CAST(${value} AS double)) THEN ${limit} ELSE greatest(-${limit}, least(${limit}, CAST(${value} AS double))) END)`,
  /** Six bytes, all of which a double keeps. */
  textNumber: (text, skipped) =>
    `CAST(from_big_endian_64(X'0000' || rpad(substr(to_utf8(substr(${text}, ${skipped} + 1, 6)), 1, 6), 6, X'00')) AS double)`,
  commonLength(one, other) {
    // An array of characters has 10,000 items at most.
    const length = `least(length(${one}), length(${other}), 1000)`;
    const different = `filter(sequence(1, ${length}), i -> substr(${one}, i, 1) <> substr(${other}, i, 1))`;
    return `(CASE WHEN ${length} = 0 THEN 0 ELSE coalesce(element_at(${different}, 1) - 1, ${length}) END)`;
  },
  bounds: (number) => `array_sort(array_distinct(${percentiles(number)}))`,
  boundsAroundFrequent(number) {
    const frequent = `map_keys(approx_most_frequent(${count}, CAST(${number} AS bigint), 2000))`;
    const around = `flatten(transform(${frequent}, v -> ARRAY[CAST(v AS double), CAST(v + 1 AS double)]))`;
    return `array_sort(array_distinct(${percentiles(number)} || ${around}))`;
  },
  place: (number, bounds) => `coalesce(width_bucket(${number}, ${bounds}), 0)`,
  // A map, because a join by range would send all rows to the workers of their ranges.
  ofRanges: (value) => `map_agg(part, ${value})`,
  ofRange: (values) => `element_at(${values}, part)`,
};

function percentiles(number: string): string {
  return `approx_percentile(${number}, transform(sequence(1, ${count - 1}), i -> i / ${count}e0))`;
}
