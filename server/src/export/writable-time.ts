/**
 * SQL of a time as a UTC timestamp; NULL where ISO 8601 cannot say it in the form that all readers know: infinity, and
 * years before 1 and after 9999. The standards of dates in JSON and XML and most programming languages end there.
 */
export function writableTime(expression: string): string {
  // A date may be further away than any timestamp.
  const time = `TRY_CAST(${expression} AS TIMESTAMP)`;
  return `CASE WHEN ${isWritable(time)} THEN ${time} END`;
}

/** SQL of whether a UTC timestamp is in those years. */
export function isWritable(timestamp: string): string {
  return `${timestamp} BETWEEN TIMESTAMP '0001-01-01 00:00:00' AND TIMESTAMP '9999-12-31 23:59:59.999999'`;
}
