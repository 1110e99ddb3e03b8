/** Questions to the user that several pieces of work may ask alike, such as for a secret. */
export interface PromptBatches {
  /** While this work runs, what was dismissed once is not asked again. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Asks, unless the same was dismissed in a batch that still runs. Undefined when it is, or was, dismissed. */
  ask<T>(question: string, ask: () => Promise<T | undefined>): Promise<T | undefined>;
}

export function createPromptBatches(): PromptBatches {
  const dismissed = new Set<string>();
  let running = 0;
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
    async ask(question, ask) {
      if (dismissed.has(question)) return undefined;
      const answer = await ask();
      if (answer === undefined && running > 0) dismissed.add(question);
      return answer;
    },
  };
}
