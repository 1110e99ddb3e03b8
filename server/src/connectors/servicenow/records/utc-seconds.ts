/** A time in the platform's notation: UTC, `yyyy-MM-dd HH:mm:ss`. */
export function utcSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** Milliseconds since the epoch of such a text; NaN for other texts. */
export function parseUtcSeconds(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}
