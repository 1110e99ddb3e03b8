/** A duration that is read off its class is at most so far from the true one, as a share of it. */
export const classError = 0.02;

/** Classes grow by this factor. */
const growth = 1 + classError;

/**
 * The class of a duration in milliseconds, as SQL: 0 for none, else 1 and more, each two percent wider than the one before; NULL for NULL. The idea is
 * that of DDSketch (Masson, Rim, Lee, VLDB 2019): classes can be added up, and quantiles read off the sums.
 */
export function durationClassSql(duration: string): string {
  return `CASE WHEN ${duration} >= 1 THEN 1 + CAST(floor(ln(${duration}) / ln(${growth})) AS INTEGER) WHEN ${duration} IS NOT NULL THEN 0 END`;
}

/**
 * The time between two times in milliseconds, as SQL of a DOUBLE that keeps microseconds. As integers, microseconds between the earliest and the
 * latest time that a store can hold would overflow.
 */
export function millisecondsSql(from: string, to: string): string {
  return `(CAST(epoch_us(${to}) AS DOUBLE) - CAST(epoch_us(${from}) AS DOUBLE)) / 1000`;
}

/** The quantiles that maps show, with the columns of `process_map_path` that hold them. */
export const shownQuantiles = { median: 0.5, p90: 0.9 } as const;

/** Interpolates linearly between the values at the places around a quantile, as SQL; places count from 0. `value` gives the value at a place. */
export function interpolateSql(quantile: number, n: string, value: (place: string) => string): string {
  const { lower, upper, at } = placesOfQuantile(quantile, n);
  const [low, high] = [value(lower), value(upper)];
  return `CAST(${low} + (${high} - ${low}) * (${at} - ${lower}) AS DOUBLE)`;
}

/** The place of a quantile among `n` values in order, counted from 0, and the whole places around it. */
export function placesOfQuantile(
  quantile: number,
  n: string,
): { readonly at: string; readonly lower: string; readonly upper: string } {
  const at = `(CAST(${quantile} AS DOUBLE) * (${n} - 1))`;
  return { at, lower: `floor(${at})`, upper: `ceil(${at})` };
}
