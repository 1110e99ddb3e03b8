/** A name in double quotes, as the SQL standard has it. Throws on NUL, which no engine can carry in its SQL text. */
export function doubleQuoted(name: string): string {
  return `"${withoutNul(name).replaceAll('"', '""')}"`;
}

/** A text in single quotes, as the SQL standard has it. Throws on NUL. */
export function singleQuoted(text: string): string {
  return `'${withoutNul(text).replaceAll("'", "''")}'`;
}

function withoutNul(text: string): string {
  if (text.includes('\0')) throw new RangeError('SQL text cannot contain the character NUL.');
  return text;
}

/** PostgreSQL and DuckDB fold ASCII letters only, so that names in other scripts stay as written. */
export function lowerAscii(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}
