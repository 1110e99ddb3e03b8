import { CancellationTokenSource, type CancellationToken, ProgressLocation, l10n } from 'vscode';
import type { Outcome } from '../../protocol/query-results.ts';
import type { GraphLanguage } from './language-client.ts';
import { withProgress } from './messages.ts';

/** Delay in milliseconds before the notification. */
const patienceMs = 1000;

/**
 * Runs work that is usually quick. When it is slow, shows a cancellable notification, after any questions of the work, with
 * the messages that the work reports. Cancelled work gives the failure `cancelled`.
 */
export async function progressWhenSlow<T>(
  language: Pick<GraphLanguage, 'answered'>,
  title: string,
  work: (token: CancellationToken, report: (message: string) => void) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const source = new CancellationTokenSource();
  let latest: string | undefined;
  let show: ((message: string) => void) | undefined;
  const running = work(source.token, (message) => {
    latest = message;
    show?.(message);
  });
  let hasEnded = false;
  const timer = setTimeout(async () => {
    await language.answered();
    if (hasEnded) return;
    void withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (progress, token) => {
      show = (message) => progress.report({ message });
      if (latest !== undefined) show(latest);
      token.onCancellationRequested(() => source.cancel());
      return settled(running);
    });
  }, patienceMs);
  try {
    return await running;
  } catch (error) {
    if (!source.token.isCancellationRequested) throw error;
    return { ok: false, error: { code: 'cancelled', message: l10n.t('Cancelled.') } };
  } finally {
    hasEnded = true;
    clearTimeout(timer);
    source.dispose();
  }
}

/** Resolves when the work has ended, which closes the notification; its result is handled elsewhere. */
export async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}
