import { type LogOutputChannel, l10n } from 'vscode';
import { showErrorMessage } from './messages.ts';

/** Says what went wrong with something that a person asked a page for: a page shows no errors of its own, and the log alone nobody reads. */
export function createTellError(log: LogOutputChannel): (error: unknown) => void {
  return (error) => {
    log.error(error instanceof Error ? error : String(error));
    const showLog = l10n.t('Show Log');
    void showErrorMessage(error instanceof Error ? error.message : String(error), showLog).then(
      (chosen) => void (chosen && log.show()),
    );
  };
}
