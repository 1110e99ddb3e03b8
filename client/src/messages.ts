import {
  type CancellationToken,
  type LogOutputChannel,
  type MessageOptions,
  type Progress,
  type ProgressOptions,
  l10n,
  window,
} from 'vscode';
import { withoutLinks } from './without-links.ts';

/*
 * Notifications with escaped texts. Data of sources, files and hosts may contain link syntax, which
 * `window.show…Message` renders, so its functions are called here only.
 */

type Shown = (message: string, ...rest: readonly (MessageOptions | string)[]) => Thenable<string | undefined>;

export const showInformationMessage: Shown = (message, ...rest) =>
  window.showInformationMessage(withoutLinks(message), ...(rest as string[]));

export const showWarningMessage: Shown = (message, ...rest) =>
  window.showWarningMessage(withoutLinks(message), ...(rest as string[]));

export const showErrorMessage: Shown = (message, ...rest) =>
  window.showErrorMessage(withoutLinks(message), ...(rest as string[]));

/** Shows an unexpected error of a webview request as a notification, in addition to the log. */
export function createErrorReporter(log: LogOutputChannel): (error: unknown) => void {
  return (error) => {
    log.error(error instanceof Error ? error : String(error));
    const showLog = l10n.t('Show Log');
    void showErrorMessage(error instanceof Error ? error.message : String(error), showLog).then(
      (chosen) => void (chosen && log.show()),
    );
  };
}

type Report = Progress<{ readonly message?: string; readonly increment?: number }>;

export function withProgress<R>(
  { title, ...options }: ProgressOptions,
  task: (progress: Report, token: CancellationToken) => Thenable<R>,
): Thenable<R> {
  const shown = { ...options, ...(title === undefined ? {} : { title: withoutLinks(title) }) };
  return window.withProgress(shown, (progress, token) => {
    const report: Report['report'] = ({ message, ...rest }) =>
      progress.report({ ...rest, ...(message === undefined ? {} : { message: withoutLinks(message) }) });
    return task({ report }, token);
  });
}
