import type { SourceError } from './source-error.ts';

/** The setting `port` of a server. Throws what `wrong` returns. */
export function readPort(
  value: unknown,
  usual: number,
  wrong: (setting: string, expected: string) => SourceError,
): number {
  if (value === undefined || value === null) return usual;
  // Environment variables are texts.
  const port = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw wrong('port', 'a number from 1 to 65535');
  }
  return port;
}
