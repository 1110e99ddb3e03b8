/** SQL of a decimal number's text without zeros at the end of its fraction. */
export function withoutZeros(text: string): string {
  return `(CASE WHEN ${text} LIKE '%.%' THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END)`;
}
