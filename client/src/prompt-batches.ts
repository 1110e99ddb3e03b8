/** Prompts, such as for a secret, that several tasks of a batch may share. */
export interface PromptBatches {
  /** While the batch runs, a dismissed prompt is not repeated. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Asks, unless the same prompt was dismissed in a running batch. Undefined when dismissed. */
  ask<T>(question: string, ask: () => Promise<T | undefined>): Promise<T | undefined>;
  /**
   * The same for inputs and dialogs, of which one is open at a time. Equal questions share an answer.
   * @param ask gets a signal that closes the prompt @param signal of the asker; an aborted one gets undefined, and a
   * prompt that nobody waits for is closed, or not shown at all
   */
  askInTurn<T>(
    question: string,
    ask: (signal: AbortSignal) => Promise<T | undefined>,
    signal?: AbortSignal,
  ): Promise<T | undefined>;
}

/** All who wait for one answer. */
export interface Askers {
  /** Aborted when none of them waits any longer. */
  readonly signal: AbortSignal;
  /** Waits for the answer; undefined as soon as the asker's signal is aborted. */
  wait<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined>;
}

export function createAskers(): Askers {
  const abort = new AbortController();
  let waiting = 0;
  return {
    signal: abort.signal,
    wait: <T>(answer: Promise<T>, signal: AbortSignal | undefined) =>
      new Promise<T | undefined>((resolve, reject) => {
        waiting += 1;
        const leave = (): void => {
          waiting -= 1;
          if (waiting === 0) abort.abort();
          resolve(undefined);
        };
        signal?.addEventListener('abort', leave, { once: true });
        answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
      }),
  };
}

export function createPromptBatches(): PromptBatches {
  const dismissed = new Set<string>();
  const waiting = new Map<string, { readonly answer: Promise<unknown>; readonly askers: Askers }>();
  let running = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function askUnlessDismissed<T>(
    question: string,
    ask: () => Promise<T | undefined>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    if (dismissed.has(question) || signal?.aborted) return undefined;
    const answer = await ask();
    if (answer === undefined && running > 0 && !signal?.aborted) dismissed.add(question);
    return answer;
  }

  function enqueue<T>(question: string, ask: (signal: AbortSignal) => Promise<T | undefined>) {
    const askers = createAskers();
    const answer = last
      .then(() => askUnlessDismissed(question, () => ask(askers.signal), askers.signal))
      .finally(() => {
        if (waiting.get(question) === prompt) waiting.delete(question);
      });
    const prompt = { answer, askers };
    waiting.set(question, prompt);
    last = answer.catch(() => undefined);
    return prompt;
  }

  return {
    async during(work) {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) dismissed.clear();
      }
    },
    ask: (question, ask) => askUnlessDismissed(question, ask),
    async askInTurn<T>(question: string, ask: (signal: AbortSignal) => Promise<T | undefined>, signal?: AbortSignal) {
      if (signal?.aborted) return undefined;
      const known = waiting.get(question);
      const prompt = known && !known.askers.signal.aborted ? known : enqueue(question, ask);
      return prompt.askers.wait(prompt.answer as Promise<T | undefined>, signal);
    },
  };
}
