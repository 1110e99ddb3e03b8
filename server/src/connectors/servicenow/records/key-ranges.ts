import type { CookieSession } from '../../http/http-client.ts';
import type { KeyRange } from './page-parameters.ts';

const digits = '0123456789abcdef';

/**
 * Ranges of `sys_id` that cover every key, also non-hexadecimal ones. Numerous enough to keep all workers busy, and few
 * enough that their last pages do not matter.
 * @param pages estimated number of pages
 */
export function keyRanges(pages: number, concurrency: number): readonly KeyRange[] {
  const wanted = Math.min(Math.max(concurrency, pages / 12), pages / 2);
  const count = [16, 8, 4, 2, 1].find((each) => each <= wanted) ?? 1;
  const starts = [...digits].filter((_, index) => index % (16 / count) === 0);
  return starts.map((digit, index) => {
    const next = starts[index + 1];
    return { from: index > 0 ? digit : undefined, below: next };
  });
}

type OpenPages<T> = (session: CookieSession) => AsyncGenerator<T, void, undefined>;

/**
 * Reads several ranges with `concurrency` workers, each at most one page ahead. Each worker has its own session,
 * because an instance serialises the requests of a session.
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
    // A worker's failure is reported at its turn.
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
    // Generators that await a response end later; they are not awaited here.
    for (const pages of open.values()) void pages.return().catch(() => undefined);
  }
}

interface Arrival<T> {
  readonly worker: number;
  readonly pages: AsyncGenerator<T, void, undefined>;
  readonly result: IteratorResult<T, void>;
}
