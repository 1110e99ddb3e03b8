/** The expression that makes a text a value of a DuckDB type. */
export function castSql(text: string, type: string): string {
  switch (type) {
    case 'VARCHAR':
      return text;
    case 'BIGINT':
      // Durations are written as times since 1970.
      return `CASE WHEN ${text} LIKE '____-__-__ __:__:__' THEN CAST(epoch(CAST(${text} AS TIMESTAMP)) AS BIGINT) ELSE CAST(${text} AS BIGINT) END`;
    case 'TIME':
      return `CASE WHEN length(${text}) > 15 THEN CAST(CAST(${text} AS TIMESTAMP) AS TIME) ELSE CAST(${text} AS TIME) END`;
    default:
      return `CAST(${text} AS ${type})`;
  }
}

/** As `castSql`, NULL for a text that is no value of the type. */
export function tryCastSql(text: string, type: string): string {
  return castSql(text, type).replaceAll('CAST(', 'TRY_CAST(');
}
