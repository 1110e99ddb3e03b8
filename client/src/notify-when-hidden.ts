/** A view or editor that shows progress while visible. */
export interface Screen {
  readonly visible: boolean;
  onDidChangeVisibility(listener: () => void): { dispose(): unknown };
}

/**
 * Calls `notify` once, as soon as no visible view shows the work; never when the work ends before.
 * @returns the work.
 */
export function notifyWhenHidden<T>(screens: readonly Screen[], work: Promise<T>, notify: () => void): Promise<T> {
  if (!isSeen(screens)) {
    notify();
    return work;
  }
  const stop = (): void => subscriptions.forEach((subscription) => void subscription.dispose());
  const subscriptions = screens.map((screen) =>
    screen.onDidChangeVisibility(() => {
      if (isSeen(screens)) return;
      stop();
      notify();
    }),
  );
  return work.finally(stop);
}

/** Whether one of them is visible. */
export function isSeen(screens: readonly Screen[]): boolean {
  return screens.some(({ visible }) => visible);
}
