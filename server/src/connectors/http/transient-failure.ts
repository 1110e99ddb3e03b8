import { SourceError, type SourceErrorCode, type SourceErrorDetails } from '../source-error.ts';

/** A request that failed in a way that may be over when it is sent again. */
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

export interface Transience {
  /** Milliseconds after which the server asks to be called again. */
  readonly retryAfterMs?: number;
  /** False when the server is known to have refused the request before it did anything: writes may then be repeated. */
  readonly mayHaveRun: boolean;
}

/** For how long a server that counts requests wants none, by `Retry-After`, else by when it counts anew: seconds from now on, or since 1970. */
export function limitWaitMs(headers: { get(name: string): string | null }, now: number): number | undefined {
  const asked = retryAfterMs(headers.get('retry-after'), now);
  if (asked !== undefined) return asked;
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset');
  if (reset === null || !/^\d+(?:\.\d+)?$/.test(reset.trim())) return undefined;
  const seconds = Number(reset);
  return seconds < beginningOfTimes ? seconds * 1000 : Math.max(0, seconds * 1000 - now);
}

/** The time on the server's own clock, against which it states times: this machine's may be hours away from it. */
export function serverTime(headers: { get(name: string): string | null }): number {
  const said = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(said) ? Date.now() : said;
}

/** Seconds since 1970 that are no number of seconds to wait. */
const beginningOfTimes = 1_000_000_000;

/** The `Retry-After` header, seconds or a date, in milliseconds from `now`. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header.trim()) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
