/** Questions that the user is being asked, so that nothing else comes up beside them. */
export interface OpenQuestions {
  /** Counts as open until it is answered or dismissed. */
  during<T>(ask: () => Promise<T>): Promise<T>;
  /** Resolves as soon as none is open. */
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
