/** Longer values of rows are cut. */
const mostOfValue = 2000;

/**
 * An answer whose rows take at most so many characters: long values end with the number of what is left out, and
 * further rows are left out, of which `truncated` and `characterLimit` tell.
 */
export function withinSize(
  answer: Readonly<Record<string, unknown>>,
  mostCharacters: number,
): Readonly<Record<string, unknown>> {
  const { rows } = answer;
  if (!Array.isArray(rows)) return answer;
  const short = (rows as readonly (readonly unknown[])[]).map((row) => row.map(shortValue));
  const kept: (readonly unknown[])[] = [];
  let left = mostCharacters - JSON.stringify({ ...answer, rows: [] }).length;
  for (const row of short) {
    left -= JSON.stringify(row).length + 1;
    if (left < 0) return { ...answer, rows: kept, truncated: true, characterLimit: mostCharacters };
    kept.push(row);
  }
  return { ...answer, rows: kept };
}

function shortValue(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= mostOfValue) return value;
  return `${value.slice(0, mostOfValue)}… (${value.length - mostOfValue} more characters)`;
}
