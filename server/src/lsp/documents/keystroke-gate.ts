/** Longest time in milliseconds for which other work waits: a client may ask for no problems at all. */
const mostMs = 250;

/**
 * Lets the problems after a keystroke go first: answers about whole files, which clients request after each pause in
 * typing, wait until the problems are sent.
 */
export interface KeystrokeGate {
  /** A document changed whose problems will be requested. */
  typed(): void;
  /** The answer with its problems is being sent. */
  told(): void;
  /** Resolves when the problems are sent, or after a moment; undefined when nobody waits for any. */
  readonly passed: Promise<void> | undefined;
}

export function createKeystrokeGate(): KeystrokeGate {
  let closed: { readonly passed: Promise<void>; readonly open: () => void } | undefined;

  function close(): NonNullable<typeof closed> {
    let resolve = (): void => undefined;
    const passed = new Promise<void>((resolved) => (resolve = resolved));
    const timer = setTimeout(() => own.open(), mostMs).unref();
    const own = {
      passed,
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
    told() {
      // The answer is written before the next turn.
      if (closed) setImmediate(closed.open);
    },
    get passed() {
      return closed?.passed;
    },
  };
}
