/** Longest time in milliseconds for which other work waits for a request of problems, which a client may never send. */
const mostMs = 250;

/**
 * Lets the problems after a keystroke go first: answers about whole files, which clients request after each pause in
 * typing, wait until the problems are sent.
 */
export interface KeystrokeGate {
  /** A document changed whose problems will be requested. */
  typed(): void;
  /** Problems are requested; the returned function is called when they are known, or no longer wanted. */
  asked(): () => void;
  /** The response with its problems is being sent. */
  told(): void;
  /** Resolves when the problems are sent, or after a moment; undefined when nobody waits for any. */
  readonly passed: Promise<void> | undefined;
}

export function createKeystrokeGate(): KeystrokeGate {
  let closed: { readonly passed: Promise<void>; readonly open: () => void; isOverdue: boolean } | undefined;
  let requests = 0;

  function close(): NonNullable<typeof closed> {
    let resolve = (): void => undefined;
    const passed = new Promise<void>((resolved) => (resolve = resolved));
    const timer = setTimeout(() => {
      own.isOverdue = true;
      if (requests === 0) own.open();
    }, mostMs).unref();
    const own = {
      passed,
      isOverdue: false,
      open() {
        clearTimeout(timer);
        if (closed === own) closed = undefined;
        resolve();
      },
    };
    return own;
  }

  return {
    typed: () => void (closed ??= close()),
    asked() {
      requests += 1;
      return () => {
        requests -= 1;
        if (requests === 0 && closed?.isOverdue) setImmediate(closed.open);
      };
    },
    told() {
      // The answer is written before the next turn.
      if (closed) setImmediate(closed.open);
    },
    get passed() {
      return closed?.passed;
    },
  };
}
