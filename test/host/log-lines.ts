import { type LogOutputChannel, window } from 'vscode';

/** What the extension has written into its log, each as `level: text`. */
export const logLines: string[] = [];

/**
 * Listens in; what is written goes on to VS Code. Tests are loaded before anything activates the extension, which makes its channel then.
 * (The VS Code server of the tests has no native logger: it keeps no files that could be read instead.)
 */
const create = window.createOutputChannel as (name: string, options: { readonly log: true }) => LogOutputChannel;
Object.assign(window, {
  createOutputChannel(name: string, options: { readonly log: true }) {
    const channel = create(name, options);
    const heard = (level: 'info' | 'warn' | 'error') => ({
      value(text: string) {
        logLines.push(`${level}: ${text}`);
        channel[level](text);
      },
    });
    return Object.create(channel, {
      info: heard('info'),
      warn: heard('warn'),
      error: heard('error'),
    }) as LogOutputChannel;
  },
});
