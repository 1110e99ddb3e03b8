import { spawn } from 'node:child_process';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Authorize } from '../connectors/connector-context.ts';
import { SourceError } from '../connectors/source-error.ts';

/** Login timeout in milliseconds. */
const maxMs = 5 * 60_000;

interface LoopbackOptions {
  /** Shows the login address to the user. */
  readonly note: (line: string) => void;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Browser login with a redirect to a server on loopback (RFC 8252, 7.3): at the configured address if there is one,
 * else on a free port. Callbacks with a different state are rejected. Resolves to undefined after five minutes without
 * a login.
 */
export function loopbackLogin({ note, signal, environment }: LoopbackOptions): Authorize {
  return async ({ url, state, redirectUri }) => {
    const callback = callbackAddress(redirectUri);
    const { server, answered } = receiver(callback.pathname, state);
    try {
      await listen(server, callback);
      callback.port = String((server.address() as AddressInfo).port);
      const page = new URL(url);
      page.searchParams.set('redirect_uri', callback.href);
      note(`Log in with a browser on this machine: ${page.href}`);
      openInBrowser(page.href, environment);
      const parameters = await inTime(answered, signal);
      return parameters && { code: codeOf(parameters), redirectUri: callback.href };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
}

/**
 * The redirect address; without a port, any free one is used. Redirect addresses of editors do not apply to the command
 * line.
 */
function callbackAddress(given: string | undefined): URL {
  const address = given !== undefined && URL.canParse(given) ? new URL(given) : undefined;
  const isLoopback = address?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(address.hostname);
  return isLoopback ? address : new URL('http://127.0.0.1/entity-graph/signed-in');
}

/** A server that waits for the callback with this state. */
function receiver(
  path: string,
  state: string,
): { readonly server: Server; readonly answered: Promise<URLSearchParams> } {
  let resolve: (parameters: URLSearchParams) => void;
  const answered = new Promise<URLSearchParams>((done) => (resolve = done));
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Any page can call a local address, so only a callback with the expected state counts.
    const isOurs = request.method === 'GET' && pathname === path && searchParams.get('state') === state;
    response.writeHead(isOurs ? 200 : 404, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'Referrer-Policy': 'no-referrer',
    });
    response.end(isOurs ? 'Go on in the terminal: this page can be closed.\n' : 'There is nothing here.\n');
    if (isOurs) resolve(searchParams);
  });
  return { server, answered };
}

function listen(server: Server, { port, hostname }: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new SourceError('source-config', `Nothing can listen on port ${port} of this machine: ${error.message}.`, {
          remedy: 'Stop the program that uses the port, or name another port in redirectUri of auth.',
        }),
      );
    });
    server.listen(Number(port), hostname, resolve);
  });
}

async function inTime(answered: Promise<URLSearchParams>, signal: AbortSignal): Promise<URLSearchParams | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const late = new Promise<undefined>((resolve, reject) => {
    timer = setTimeout(() => resolve(undefined), maxMs);
    onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([answered, late]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}

/** Rejects with the error parameter of the callback. */
function codeOf(parameters: URLSearchParams): string {
  const code = parameters.get('code');
  if (code !== null) return code;
  const said = [parameters.get('error'), parameters.get('error_description')].filter((each) => each !== null);
  throw new SourceError('authentication-failed', `The login was refused: ${said.join(', ') || 'no code came back'}.`, {
    remedy: 'Check clientId and scope of auth, and that the address to come back to is registered with the client.',
  });
}

/**
 * Opens an address in the user's browser: the program in the variable BROWSER, else the system's default. Never fails,
 * because the address is also printed.
 */
function openInBrowser(url: string, environment: Readonly<Record<string, string | undefined>>): void {
  const [program, ...args] = browserCommand(environment['BROWSER'] ?? '');
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

/** Without a shell, so that the address cannot inject a command. */
function browserCommand(browser: string): readonly string[] {
  if (browser !== '') return browser.split(' ');
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
