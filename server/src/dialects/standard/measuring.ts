import type { MeasuringSql } from './build-sql.ts';

/** Quantiles by the aggregate of the SQL standard, which interpolates. */
export const standardMeasuring: MeasuringSql = {
  quantiled: (values) => `${values} AS measured`,
  quantile: (share) => `percentile_cont(${share}) WITHIN GROUP (ORDER BY value)`,
};

/**
 * Quantiles of engines without that aggregate: values have a `place` from 0, up to `last_place`, and those beside the
 * place of a quantile count by their nearness to it.
 */
export const rankMeasuring: MeasuringSql = {
  quantiled(values, by) {
    const group = by.length === 0 ? '' : `PARTITION BY ${by.join(', ')}`;
    return `(
  SELECT *, row_number() OVER (${group} ORDER BY value NULLS LAST) - 1 AS place, count(value) OVER (${group}) - 1 AS last_place FROM ${values} AS valued
) AS measured`;
  },
  quantile: (share) => `sum(value * greatest(0E0, 1E0 - abs(place - ${share.toExponential()} * last_place)))`,
};
