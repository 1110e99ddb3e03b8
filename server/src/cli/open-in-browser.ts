import { spawn } from 'node:child_process';

/**
 * Opens an address in the browser of the user: the program of the variable BROWSER, else what the system opens addresses with. Never
 * fails: whoever has no browser here has read the address.
 */
export function openInBrowser(url: string, environment: Readonly<Record<string, string | undefined>>): void {
  const [program, ...args] = command(environment['BROWSER'] ?? '');
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

/** Without a shell, so that nothing in the address can be a command. */
function command(browser: string): readonly string[] {
  if (browser !== '') return browser.split(' ');
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
