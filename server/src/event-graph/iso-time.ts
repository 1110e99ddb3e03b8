/** Converts DuckDB's text of a UTC time to ISO 8601. */
export function isoTime(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = String(value)
    .replace(' ', 'T')
    .replace(/\+00(:00)?$/, '');
  return text.endsWith('Z') ? text : `${text}Z`;
}
