/** A regular expression that matches a text of a time with digits below microseconds, which graphs do not have. */
export const finePattern = '[.][0-9]{6}0*[1-9]';

const fine = new RegExp(finePattern);

/** Whether a text of a time has digits below microseconds. */
export function isFineTime(text: string): boolean {
  return fine.test(text);
}

/** The same in DuckDB's SQL. Most times have no fraction, which is faster to find than a pattern. */
export function isFineTimeSql(text: string): string {
  return `(contains(${text}, '.') AND regexp_matches(${text}, '${finePattern}'))`;
}
