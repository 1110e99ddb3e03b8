import { type LogOutputChannel, type ViewColumn, workspace } from 'vscode';
import { redactTrace } from './redact-trace.ts';

/**
 * The output channel for protocol traces, with secrets redacted. It is active only when `entityGraph.trace.server` is
 * set, although the client also traces at log level *Trace* without it.
 */
export function createTraceChannel(log: LogOutputChannel): LogOutputChannel {
  return {
    name: log.name,
    get logLevel() {
      return log.logLevel;
    },
    onDidChangeLogLevel: log.onDidChangeLogLevel,
    trace(message) {
      const asked = workspace.getConfiguration('entityGraph').get('trace.server', 'off');
      if (asked !== 'off') log.trace(redactTrace(message));
    },
    debug: (message, ...more) => log.debug(message, ...more),
    info: (message, ...more) => log.info(message, ...more),
    warn: (message, ...more) => log.warn(message, ...more),
    error: (error, ...more) => log.error(error, ...more),
    append: (value) => log.append(value),
    appendLine: (value) => log.appendLine(value),
    replace: (value) => log.replace(value),
    clear: () => log.clear(),
    show: (_column?: ViewColumn | boolean, preserveFocus?: boolean) => log.show(preserveFocus),
    hide: () => log.hide(),
    // The log belongs to the extension, not to the client.
    dispose: () => {},
  };
}
