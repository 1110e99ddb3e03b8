import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceError } from '../source-error.ts';
import { RefusedRequest } from './refused-request.ts';

export interface RateLimitSettings {
  /** Minimum time between the starts of two requests in milliseconds, across concurrent requests. */
  readonly delayMs: number;
  /** Maximum number of requests of one operation (a preview, an import), retries included. */
  readonly budget?: number | undefined;
}

/**
 * Called before each request; rejects with `source-failed` when the budget is exhausted, or with the signal's reason.
 */
export type RateLimit = (signal: AbortSignal | undefined) => Promise<void>;

/** Rate limit and request budget of an operation. */
export function rateLimit({ delayMs, budget }: RateLimitSettings, peer: string): RateLimit {
  let sent = 0;
  let next = 0;
  return async (signal) => {
    if (budget !== undefined && (sent += 1) > budget) throw usedUp(budget, peer);
    if (delayMs === 0) return;
    const now = performance.now();
    const wait = Math.max(0, next - now);
    next = now + wait + delayMs;
    if (wait > 0) await sleep(wait, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
  };
}

function usedUp(budget: number, peer: string): SourceError {
  return new RefusedRequest(
    'source-failed',
    `${peer} would have to be called more often than the ${budget} times that requestBudget allows.`,
    {
      remedy: 'Filter the rows with where, ask for larger pages, or raise requestBudget of the data source.',
    },
  );
}
