import type { TokenStore } from '../connectors/connector-context.ts';

/** Keeps tokens in memory, so that a command logs in once. */
export function tokensInMemory(): TokenStore {
  const kept = new Map<string, string>();
  const turns = new Map<string, Promise<unknown>>();
  return {
    read: async (name) => kept.get(name),
    async write(name, value) {
      if (value === undefined) kept.delete(name);
      else kept.set(name, value);
    },
    alone(name, work) {
      const mine = (turns.get(name) ?? Promise.resolve()).then(work, work);
      turns.set(
        name,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}
