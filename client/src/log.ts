import { type LogOutputChannel, type ViewColumn, window } from 'vscode';
import { logText, traceText } from './log-text.ts';

/** The log view of the extension: texts of data have no effect in it, and cannot look like entries. */
export function createLog(): LogOutputChannel {
  const log = window.createOutputChannel('Entity Graph', { log: true });
  const printed = (more: readonly unknown[]): readonly unknown[] =>
    more.map((each) => (typeof each === 'string' || each instanceof Error ? logText(each) : each));
  return {
    name: log.name,
    get logLevel() {
      return log.logLevel;
    },
    onDidChangeLogLevel: log.onDidChangeLogLevel,
    trace: (message, ...more) => log.trace(traceText(message), ...printed(more)),
    debug: (message, ...more) => log.debug(logText(message), ...printed(more)),
    info: (message, ...more) => log.info(logText(message), ...printed(more)),
    warn: (message, ...more) => log.warn(logText(message), ...printed(more)),
    error: (error, ...more) => log.error(logText(error), ...printed(more)),
    append: (value) => log.append(logText(value)),
    appendLine: (value) => log.appendLine(logText(value)),
    replace: (value) => log.replace(logText(value)),
    clear: () => log.clear(),
    show: (_column?: ViewColumn | boolean, preserveFocus?: boolean) => log.show(preserveFocus),
    hide: () => log.hide(),
    dispose: () => log.dispose(),
  };
}
