/** A name in double quotes by the SQL standard. Throws on NUL, which no engine accepts in SQL. */
export function doubleQuoted(name: string): string {
  return `"${withoutNul(name).replaceAll('"', '""')}"`;
}

/** A text in single quotes by the SQL standard. Throws on NUL. */
export function singleQuoted(text: string): string {
  return `'${withoutNul(text).replaceAll("'", "''")}'`;
}

function withoutNul(text: string): string {
  if (text.includes('\0')) throw new RangeError('SQL text cannot contain the character NUL.');
  return text;
}

/** PostgreSQL and DuckDB fold ASCII letters only; names in other scripts stay unchanged. */
export function lowerAscii(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}
