/** A point in time as the platform writes it: UTC, `yyyy-MM-dd HH:mm:ss`. */
export function utcSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** Milliseconds since the epoch of such a text; NaN for another one. */
export function parseUtcSeconds(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}
