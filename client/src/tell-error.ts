import { type LogOutputChannel, l10n } from 'vscode';
import { showErrorMessage } from './messages.ts';

/** Shows an unexpected error of a webview request as a notification, in addition to the log. */
export function createTellError(log: LogOutputChannel): (error: unknown) => void {
  return (error) => {
    log.error(error instanceof Error ? error : String(error));
    const showLog = l10n.t('Show Log');
    void showErrorMessage(error instanceof Error ? error.message : String(error), showLog).then(
      (chosen) => void (chosen && log.show()),
    );
  };
}
