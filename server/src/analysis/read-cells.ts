/** A number of a row; null for NULL. */
export function numberOf(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** The text of a value of a row; null for NULL. */
export function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
