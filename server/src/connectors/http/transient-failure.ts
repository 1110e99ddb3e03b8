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

interface Transience {
  /** The server's Retry-After in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** False when the server certainly rejected the request before execution: writes may then be repeated. */
  readonly mayHaveRun: boolean;
}

interface Headers {
  get(name: string): string | null;
}

/**
 * The wait requested by a rate limit: `Retry-After`, else the reset header, in seconds from now, or in seconds or
 * milliseconds since 1970, else the `RateLimit` header of the IETF drafts.
 */
export function limitWaitMs(headers: Headers, now: number): number | undefined {
  const asked = retryAfterMs(headers.get('retry-after'), now);
  if (asked !== undefined) return asked;
  const reset = largestNumber(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset'));
  if (reset === undefined) return draftLimit(headers)?.waitMs;
  if (reset < beginningOfTimes) return reset * 1000;
  return Math.max(0, (reset < beginningOfTimes * 1000 ? reset * 1000 : reset) - now);
}

/** Whether headers say that nothing is left of a rate limit, so that a refusal is temporary. */
export function isLimitReached(headers: Headers): boolean {
  const remaining = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  return largestNumber(remaining) === 0 || draftLimit(headers) !== undefined;
}

/**
 * The exhausted limit of a `RateLimit` header: `"default";r=0;t=30` (draft-ietf-httpapi-ratelimit-headers-10), before
 * draft 8 `limit=100, remaining=0, reset=30`.
 */
function draftLimit(headers: Headers): { readonly waitMs: number | undefined } | undefined {
  const text = headers.get('ratelimit')?.replaceAll(/"(?:[^"\\]|\\.)*"/g, '') ?? '';
  const policies = /\bremaining\s*=/.test(text) ? [text] : text.split(',');
  const numberOf = (policy: string, name: RegExp): number | undefined => largestNumber(name.exec(policy)?.[1] ?? null);
  const reached = policies.filter((policy) => numberOf(policy, /\b(?:r|remaining)\s*=\s*(\d+)/) === 0);
  if (reached.length === 0) return undefined;
  const waits = reached.map((policy) => numberOf(policy, /\b(?:t|reset)\s*=\s*(\d+)/) ?? 0);
  const seconds = Math.max(...waits);
  return { waitMs: seconds === 0 ? undefined : seconds * 1000 };
}

/** The largest of the numbers in a header: one that is sent twice arrives as `60, 60`. Undefined if it has others. */
function largestNumber(header: string | null): number | undefined {
  const values = (header ?? '').split(',').map((value) => value.trim());
  return values.every((value) => /^\d+(?:\.\d*)?$/.test(value)) ? Math.max(...values.map(Number)) : undefined;
}

/** The current time of the server's clock, which its headers refer to; the local clock may differ by hours. */
export function serverTime(headers: Headers): number {
  const said = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(said) ? Date.now() : said;
}

/** Larger numbers are seconds since 1970. */
const beginningOfTimes = 1_000_000_000;

/** The `Retry-After` header (seconds, of some servers with decimals or twice, or a date) in milliseconds from `now`. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = largestNumber(header);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
