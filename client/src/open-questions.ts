/** Tracks open questions to the user, so that no other dialog interferes. */
interface OpenQuestions {
  /** A question is open until it is answered or dismissed. */
  during<T>(ask: () => Promise<T>): Promise<T>;
  /** Resolves when none is open. */
  answered(): Promise<void>;
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Set<Promise<unknown>>();
  return {
    during(ask) {
      const question = ask().finally(() => open.delete(question));
      open.add(question);
      return question;
    },
    async answered() {
      while (open.size > 0) await Promise.allSettled(open);
    },
  };
}
