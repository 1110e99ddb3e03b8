/** Subscribes to notifications of a connection, which has one handler for each method: the last one. */
type Subscribe = (method: string, handler: (params: unknown) => void) => unknown;

/**
 * Many listeners for each notification. `vscode-languageclient` keeps one handler for each method: a second one replaces
 * the first, and its end silences both.
 */
interface NotificationListeners {
  add<Params>(method: string, listener: (params: Params) => void): { dispose(): void };
}

export function createNotificationListeners(subscribe: Subscribe): NotificationListeners {
  const byMethod = new Map<string, Set<{ readonly listener: (params: never) => void }>>();
  return {
    add(method, listener) {
      let all = byMethod.get(method);
      if (!all) {
        const entries = (all = new Set());
        byMethod.set(method, entries);
        subscribe(method, (params) => {
          for (const entry of [...entries]) if (entries.has(entry)) entry.listener(params as never);
        });
      }
      const entry = { listener };
      const entries = all.add(entry);
      return { dispose: () => void entries.delete(entry) };
    },
  };
}
