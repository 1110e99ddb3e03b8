import type { CookieSession } from '../../http/http-client.ts';
import type { KeyRange } from './page-parameters.ts';

const digits = '0123456789abcdef';

/**
 * Ranges of `sys_id` that together hold every key, also those that are no hexadecimal numbers. Enough of them to keep
 * all workers busy to the end, and few enough that the pages which end them do not count.
 * @param pages how many pages the records fill
 */
export function keyRanges(pages: number, concurrency: number): readonly KeyRange[] {
  const wanted = Math.min(Math.max(concurrency, pages / 12), pages / 2);
  const count = [16, 8, 4, 2, 1].find((each) => each <= wanted) ?? 1;
  const starts = [...digits].filter((_, index) => index % (16 / count) === 0);
  return starts.map((digit, index) => {
    const next = starts[index + 1];
    return { ...(index > 0 && { from: digit }), ...(next !== undefined && { below: next }) };
  });
}

type OpenPages<T> = (session: CookieSession) => AsyncGenerator<T, void, undefined>;

/**
 * Pages of several reads as they come, `concurrency` reads at a time, none of them further ahead than one page. Each
 * worker has a session of its own: an instance runs the requests of one session one after the other.
 */
export async function* mergedPages<T>(
  reads: readonly OpenPages<T>[],
  concurrency: number,
): AsyncGenerator<T, void, undefined> {
  const waiting = [...reads];
  const running = new Map<number, Promise<Arrival<T>>>();
  const open = new Map<number, AsyncGenerator<T, void, undefined>>();
  const advance = (worker: number, pages: AsyncGenerator<T, void, undefined>): void => {
    const arrival = pages.next().then((result) => ({ worker, pages, result }));
    // Whoever waits for another worker hears of this one's failure at its turn.
    arrival.catch(() => undefined);
    running.set(worker, arrival);
  };
  const sessions = Array.from({ length: Math.min(concurrency, reads.length) }, (): CookieSession => ({
    cookies: new Map(),
  }));
  const start = (worker: number): void => {
    const next = waiting.shift();
    const session = sessions[worker];
    if (!next || !session) return;
    const pages = next(session);
    open.set(worker, pages);
    advance(worker, pages);
  };
  sessions.forEach((_, worker) => start(worker));
  try {
    while (running.size > 0) {
      const { worker, pages, result } = await Promise.race(running.values());
      running.delete(worker);
      if (result.done) {
        open.delete(worker);
        start(worker);
        continue;
      }
      advance(worker, pages);
      yield result.value;
    }
  } finally {
    // Generators that wait for an answer end only with it: nobody waits for them here.
    for (const pages of open.values()) void pages.return().catch(() => undefined);
  }
}

interface Arrival<T> {
  readonly worker: number;
  readonly pages: AsyncGenerator<T, void, undefined>;
  readonly result: IteratorResult<T, void>;
}
