import { setTimeout as sleep } from 'node:timers/promises';
import { TransientFailure } from './transient-failure.ts';

export interface RetryPolicy {
  /** Attempts in all. */
  readonly attempts: number;
  /** Milliseconds; the wait before the n-th retry is a random part of this times 2^n. */
  readonly baseMs: number;
  readonly longestMs: number;
  /** A server that wants to be left alone for longer than this is given up, milliseconds. */
  readonly longestRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 6,
  baseMs: 500,
  longestMs: 30_000,
  longestRetryAfterMs: 300_000,
};

export interface RetryOptions {
  readonly policy: RetryPolicy;
  /** True for reads: what may have run is repeated as well. */
  readonly idempotent: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onWait?: ((milliseconds: number, reason: string) => void) | undefined;
}

/** Repeats `attempt` while it fails transiently. Rejects with its last failure, or with the signal's reason. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { policy, idempotent, signal } = options;
  for (let done = 1; ; done += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof TransientFailure) || (error.transience.mayHaveRun && !idempotent)) throw error;
      const wait = waitMs(error, done, policy);
      if (done >= policy.attempts) throw error;
      if (wait === undefined) throw tooLong(error);
      options.onWait?.(wait, error.message);
      await pause(wait, signal);
    }
  }
}

/** Says for how long nothing is sent, and why, where somebody listens. */
export function toldWait(
  onProgress: ((message: string) => void) | undefined,
): (milliseconds: number, reason: string) => void {
  return (milliseconds, reason) => onProgress?.(`${reason} Trying again in ${Math.ceil(milliseconds / 1000)} s.`);
}

/** At least what the server asks for, jittered so that several clients do not come back at once; undefined: too long. */
function waitMs({ transience }: TransientFailure, done: number, policy: RetryPolicy): number | undefined {
  const asked = transience.retryAfterMs;
  const jitter = Math.random() * Math.min(policy.longestMs, policy.baseMs * 2 ** done);
  if (asked === undefined) return Math.round(jitter);
  return asked > policy.longestRetryAfterMs ? undefined : Math.round(asked + Math.min(jitter, policy.baseMs));
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
