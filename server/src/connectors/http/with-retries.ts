import { setTimeout as sleep } from 'node:timers/promises';
import { TransientFailure, isTransientFailure } from './transient-failure.ts';

export interface RetryPolicy {
  /** Number of attempts. */
  readonly attempts: number;
  /** Base delay in milliseconds: the n-th retry waits a random share of this times 2^n. */
  readonly baseMs: number;
  readonly maxMs: number;
  /** Maximum wait requested by a server, in milliseconds; above it the request fails. */
  readonly maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 6,
  baseMs: 500,
  maxMs: 30_000,
  maxRetryAfterMs: 300_000,
};

interface RetryOptions {
  readonly policy: RetryPolicy;
  /** True for reads: requests that may have run are repeated as well. */
  readonly idempotent: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((milliseconds: number, reason: string) => void) | undefined;
}

/**
 * Retries `attempt` after transient failures with back-off. Rejects with its last failure, or with the signal's reason.
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { policy, idempotent, signal } = options;
  for (let done = 1; ; done += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransientFailure(error) || (error.transience.mayHaveRun && !idempotent)) throw error;
      const wait = waitMs(error, done, policy);
      if (done >= policy.attempts) throw error;
      if (wait === undefined) throw tooLong(error);
      options.onWait?.(wait, error.message);
      await pause(wait, signal);
    }
  }
}

/** Reports the wait and its reason. */
export function reportWait(
  onProgress: ((message: string) => void) | undefined,
): (milliseconds: number, reason: string) => void {
  return (milliseconds, reason) => onProgress?.(`${reason} Trying again in ${Math.ceil(milliseconds / 1000)} s.`);
}

/**
 * At least the wait requested by the server, with jitter so that clients do not return at once; undefined: too long.
 */
function waitMs({ transience }: TransientFailure, done: number, policy: RetryPolicy): number | undefined {
  const asked = transience.retryAfterMs;
  const jitter = Math.random() * Math.min(policy.maxMs, policy.baseMs * 2 ** done);
  if (asked === undefined) return Math.round(jitter);
  return asked > policy.maxRetryAfterMs ? undefined : Math.round(asked + Math.min(jitter, policy.baseMs));
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
}

function tooLong(error: TransientFailure): TransientFailure {
  const minutes = Math.ceil((error.transience.retryAfterMs ?? 0) / 60_000);
  return new TransientFailure(error.code, error.message, error.transience, {
    ...error.details,
    remedy: `The server asks to be called again in ${minutes} minutes: try again then.`,
  });
}
