/** SQL of a decimal text without trailing zeros in its fraction. */
export function withoutZeros(text: string): string {
  return `(CASE WHEN ${text} LIKE '%.%' THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END)`;
}
