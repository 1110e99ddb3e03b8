import { CancellationTokenSource, type CancellationToken, ProgressLocation, l10n } from 'vscode';
import type { Outcome } from '../../protocol/query-results.ts';
import type { GraphLanguage } from './language-client.ts';
import { withProgress } from './messages.ts';

/** Delay in milliseconds before the notification. */
const patienceMs = 1000;

/** Milliseconds between updates of the elapsed time. Screen readers announce each, so it is not every second. */
const elapsedEveryMs = 5000;
const earlyMs = 500;

/**
 * Runs work that is usually quick. When it is slow, shows a cancellable notification, after any questions of the work, with
 * the messages that the work reports and the elapsed time. Cancelled work gives the failure `cancelled`.
 */
export async function progressWhenSlow<T>(
  language: Pick<GraphLanguage, 'answered'>,
  title: string,
  work: (token: CancellationToken, report: (message: string) => void) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const source = new CancellationTokenSource();
  const startedAt = performance.now();
  let latest: string | undefined;
  let show: ((message: string) => void) | undefined;
  const tell = (): void => {
    // Timers start with the turn of the event loop in which they are set, so they end up to its length too early.
    const periods = Math.floor((performance.now() - startedAt + earlyMs) / elapsedEveryMs);
    const elapsed = periods === 0 ? undefined : elapsedText(periods * elapsedEveryMs);
    const parts = [latest, elapsed].filter((part) => part !== undefined);
    if (parts.length > 0) show?.(parts.join(' · '));
  };
  const running = work(source.token, (message) => {
    latest = message;
    tell();
  });
  const ticks = setInterval(tell, elapsedEveryMs);
  let hasEnded = false;
  const timer = setTimeout(async () => {
    await language.answered();
    if (hasEnded) return;
    void withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (progress, token) => {
      show = (message) => progress.report({ message });
      tell();
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
    clearInterval(ticks);
    source.dispose();
  }
}

/** Such as `10 s`, or `2 min 05 s`. */
function elapsedText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return l10n.t('{0} s', seconds);
  return l10n.t('{0} min {1} s', Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0'));
}

/** Resolves when the work has ended, which closes the notification; its result is handled elsewhere. */
export async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}
