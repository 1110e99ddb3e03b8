import type { RangeSql } from '../dialect.ts';

/** Enough for the processors of some dozens of nodes, and few enough for small graphs. */
const count = 256;

/** Size of the sample from which bounds are computed: several dozen rows a range. */
const sampled = 10_000;

/** Beyond these all numbers share one range. */
const limit = '1e30';

/**
 * For clusters of PostgreSQL. Bounds use an aggregate over a sample, which combines partial results of all nodes;
 * percentiles do not.
 */
export const postgresqlRanges: RangeSql = {
  count,
  // The rows of several joins would go through the coordinator.
  selectsAtOnce: 1,
  timeNumber: (time) => `round(extract(epoch FROM ${time}) * 1000000)`,
  /** `least` and `greatest` pass over NULL. A double holds no number of more than about 320 decimals. */
  number: (value) =>
    `(CASE WHEN ${value} IS NOT NULL THEN greatest(-${limit}, least(${limit}, round(${value}, 300))) END)`,
  /** Six bytes, which a double holds exactly. */
  textNumber: (text, skipped) =>
    `('x' || encode(substr(convert_to(substr(${text}, ${skipped} + 1, 6), getdatabaseencoding()) || '\\x000000000000'::bytea, 1, 6), 'hex'))::bit(48)::bigint`,
  commonLength(one, other) {
    const length = `least(length(${one}), length(${other}), 1000)`;
    return `(SELECT coalesce(min(place) - 1, ${length}) FROM generate_series(1, ${length}) AS place WHERE substr(${one}, place, 1) <> substr(${other}, place, 1))`;
  },
  bounds: sample,
  boundsAroundFrequent: sample,
  finished(bounds) {
    const numbers = `unnest(${bounds}) AS sample(number)`;
    // As a subquery, the list is read once; otherwise for each number in it.
    const sampleSize = `(SELECT cardinality(${bounds}))`;
    const shares = `ARRAY(SELECT place / ${count}e0 FROM generate_series(1, ${count - 1}) AS place)`;
    return `(SELECT array_agg(DISTINCT bound ORDER BY bound) FROM (
      SELECT unnest(percentile_disc(${shares}) WITHIN GROUP (ORDER BY number)) AS bound FROM ${numbers}
      UNION ALL SELECT unnest(ARRAY[number, number + 1]) FROM ${numbers} GROUP BY number HAVING count(*) > ${sampleSize} / ${count}
    ) AS found)`;
  },
  place: (number, bounds) => `coalesce(width_bucket(CAST(${number} AS double precision), ${bounds}), 0)`,
  whole: (sum) => `CAST(${sum} AS bigint)`,
  perRange: {
    kept: (values) => ['part', ...values.map(([sql, name]) => `${sql} AS ${name}`)].join(', '),
    join: 'LEFT JOIN',
    on: ' USING (part)',
    value: (name) => name,
  },
  storesSubqueries: true,
};

function sample(number: string, from: string): string {
  const value = `CAST(${number} AS double precision)`;
  return `array_agg(${value}) FILTER (WHERE ${value} IS NOT NULL AND random() * (SELECT count(*) FROM ${from}) < ${sampled})`;
}
