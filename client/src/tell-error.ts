import { type LogOutputChannel, l10n, window } from 'vscode';

/** Says what went wrong with something that a person asked a page for: a page shows no errors of its own, and the log alone nobody reads. */
export function createTellError(log: LogOutputChannel): (error: unknown) => void {
  return (error) => {
    log.error(error instanceof Error ? error : String(error));
    const showLog = l10n.t('Show Log');
    void window
      .showErrorMessage(error instanceof Error ? error.message : String(error), showLog)
      .then((chosen) => void (chosen && log.show()));
  };
}
