import { SourceError, type SourceErrorCode, type SourceErrorDetails, isSourceError } from '../source-error.ts';

/** A failed request that may be retried. */
export class TransientFailure extends SourceError {
  constructor(
    code: SourceErrorCode,
    message: string,
    readonly transience: Transience,
    details: SourceErrorDetails = {},
  ) {
    super(code, message, details);
  }
}

/** By member: a program may load this module as ESM and as CommonJS, which gives two classes. */
export function isTransientFailure(error: unknown): error is TransientFailure {
  return isSourceError(error) && 'transience' in error;
}

export interface Transience {
  /** The server's Retry-After in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** False when the server certainly rejected the request before execution: writes may then be repeated. */
  readonly mayHaveRun: boolean;
}

/** The wait requested by a rate limit: `Retry-After`, else the reset header, in seconds from now or since 1970. */
export function limitWaitMs(headers: { get(name: string): string | null }, now: number): number | undefined {
  const asked = retryAfterMs(headers.get('retry-after'), now);
  if (asked !== undefined) return asked;
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset');
  if (reset === null || !/^\d+(?:\.\d+)?$/.test(reset.trim())) return undefined;
  const seconds = Number(reset);
  return seconds < beginningOfTimes ? seconds * 1000 : Math.max(0, seconds * 1000 - now);
}

/** The current time of the server's clock, which its headers refer to; the local clock may differ by hours. */
export function serverTime(headers: { get(name: string): string | null }): number {
  const said = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(said) ? Date.now() : said;
}

/** Larger numbers are seconds since 1970. */
const beginningOfTimes = 1_000_000_000;

/** The `Retry-After` header (seconds or a date) in milliseconds from `now`. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header.trim()) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
