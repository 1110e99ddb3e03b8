import type { SimulatedRequest } from './http-answer.ts';

/** Sessions by cookie: the requests of one session run one after the other. */
export interface Sessions {
  /** Number of sessions started. */
  readonly begun: number;
  /** The turn of a request; undefined if too many of its session are waiting. */
  enter(request: SimulatedRequest): Promise<Turn> | undefined;
}

export interface Turn {
  readonly session: string;
  end(): void;
}

/**
 * @param maxWaiting Maximum number of waiting requests per session; the instance accepts further ones without running
 * them.
 */
export function createSessions(maxWaiting: number): Sessions {
  const queues = new Map<string, { last: Promise<void>; waiting: number }>();
  return {
    get begun() {
      return queues.size;
    },
    enter(request) {
      const known = /\bJSESSIONID=(\w+)/.exec(request.headers['cookie'] ?? '')?.[1];
      // Without a cookie each call makes a new session.
      const session = known !== undefined && queues.has(known) ? known : `S${queues.size + 1}`;
      const queue = queues.get(session) ?? { last: Promise.resolve(), waiting: 0 };
      queues.set(session, queue);
      if (queue.waiting > maxWaiting) return undefined;
      const before = queue.last;
      let end = (): void => undefined;
      queue.last = new Promise((resolve) => (end = resolve));
      queue.waiting += 1;
      return before.then(() => ({
        session,
        end() {
          queue.waiting -= 1;
          end();
        },
      }));
    },
  };
}
