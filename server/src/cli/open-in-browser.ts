import { spawn } from 'node:child_process';

/**
 * Opens an address in the user's browser: the program in the variable BROWSER, else the system's default. Never fails,
 * because the address is also printed.
 */
export function openInBrowser(url: string, environment: Readonly<Record<string, string | undefined>>): void {
  const [program, ...args] = command(environment['BROWSER'] ?? '');
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

/** Without a shell, so that the address cannot inject a command. */
function command(browser: string): readonly string[] {
  if (browser !== '') return browser.split(' ');
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
