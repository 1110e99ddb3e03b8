/**
 * SQL of a time as a UTC timestamp; NULL outside of the portable range of ISO 8601: infinity, and years before 1 and
 * after 9999, the limits of JSON and XML date standards and of most programming languages.
 */
export function writableTime(expression: string): string {
  // The range of dates exceeds that of timestamps.
  const time = `TRY_CAST(${expression} AS TIMESTAMP)`;
  return `CASE WHEN ${isWritable(time)} THEN ${time} END`;
}

/** SQL that tests whether a UTC timestamp is in this range. */
export function isWritable(timestamp: string): string {
  return `${timestamp} BETWEEN TIMESTAMP '0001-01-01 00:00:00' AND TIMESTAMP '9999-12-31 23:59:59.999999'`;
}
