import { type LogOutputChannel, window } from 'vscode';

/** The extension's log entries, each as `level: text`. */
export const logLines: string[] = [];

/**
 * Records log entries, which still reach VS Code. Tests are loaded before the extension is activated and creates its
 * channel. (The VS Code server of the tests has no native logger, so there are no log files to read.)
 */
const create = window.createOutputChannel as (name: string, options: { readonly log: true }) => LogOutputChannel;
Object.assign(window, {
  createOutputChannel(name: string, options: { readonly log: true }) {
    const channel = create(name, options);
    const afterMessage = (level: 'info' | 'warn' | 'error') => ({
      value(text: string) {
        logLines.push(`${level}: ${text}`);
        channel[level](text);
      },
    });
    return Object.create(channel, {
      info: afterMessage('info'),
      warn: afterMessage('warn'),
      error: afterMessage('error'),
    }) as LogOutputChannel;
  },
});
