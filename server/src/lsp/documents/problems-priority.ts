/** Longest time in milliseconds for which other work waits for a request of problems, which a client may never send. */
const mostMs = 250;

/**
 * Gives the problems after a keystroke priority over answers about whole files, which clients request after each pause
 * in typing: these wait until the problems are sent.
 */
export interface ProblemsPriority {
  /** A document changed whose problems will be requested. */
  changed(): void;
  /** Problems are requested; the returned function is called when they are known, or no longer wanted. */
  requested(): () => void;
  /** The response with its problems is being sent. */
  sending(): void;
  /** Resolves when the problems are sent, or after a moment; undefined when none are expected. */
  readonly problemsSent: Promise<void> | undefined;
}

export function createProblemsPriority(): ProblemsPriority {
  let wait: { readonly ended: Promise<void>; readonly end: () => void; isOverdue: boolean } | undefined;
  let requests = 0;

  function startWait(): NonNullable<typeof wait> {
    let resolve = (): void => undefined;
    const ended = new Promise<void>((resolved) => (resolve = resolved));
    const timer = setTimeout(() => {
      own.isOverdue = true;
      if (requests === 0) own.end();
    }, mostMs).unref();
    const own = {
      ended,
      isOverdue: false,
      end() {
        clearTimeout(timer);
        if (wait === own) wait = undefined;
        resolve();
      },
    };
    return own;
  }

  return {
    changed: () => void (wait ??= startWait()),
    requested() {
      requests += 1;
      return () => {
        requests -= 1;
        if (requests === 0 && wait?.isOverdue) setImmediate(wait.end);
      };
    },
    sending() {
      // The answer is written before the next turn.
      if (wait) setImmediate(wait.end);
    },
    get problemsSent() {
      return wait?.ended;
    },
  };
}
