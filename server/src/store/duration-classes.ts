/** Classes grow by this factor: what is said of a time is at most two percent off. */
const growth = 1.02;

/**
 * The class of a duration in milliseconds, as SQL: 0 for none, else 1 and more, each two percent wider than the one before; NULL for NULL. The idea is
 * that of DDSketch (Masson, Rim, Lee, VLDB 2019): classes can be added up, and quantiles read off the sums.
 */
export function durationClassSql(duration: string): string {
  return `CASE WHEN ${duration} >= 1 THEN 1 + CAST(floor(ln(${duration}) / ln(${growth})) AS INTEGER) WHEN ${duration} IS NOT NULL THEN 0 END`;
}
