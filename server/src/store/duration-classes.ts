/** Growth factor of the classes: the error of a duration is at most two percent. */
const growth = 1.02;

/**
 * SQL of the class of a duration in milliseconds: 0 for none, else 1 and more, each two percent wider than the previous
 * one; NULL for NULL. The idea is that of DDSketch (Masson, Rim, Lee, VLDB 2019): class counts can be added, and give
 * quantiles.
 */
export function durationClassSql(duration: string): string {
  return `CASE WHEN ${duration} >= 1 THEN 1 + CAST(floor(ln(${duration}) / ln(${growth})) AS INTEGER) WHEN ${duration} IS NOT NULL THEN 0 END`;
}
