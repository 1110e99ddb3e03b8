/** Prompts, such as for a secret, that several tasks of a batch may share. */
export interface PromptBatches {
  /** While the batch runs, a dismissed prompt is not repeated. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Asks, unless the same prompt was dismissed in a running batch. Undefined when dismissed. */
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
