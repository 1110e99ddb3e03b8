import {
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  ProgressLocation,
  UIKind,
  Uri,
  env,
  l10n,
  window,
} from 'vscode';
import type { PromptBatches } from './prompt-batches.ts';
import type {
  AuthorizationAnswer,
  AuthorizationRequest,
  ClientRequests,
} from '../../protocol/requests/client-requests.ts';
import { withProgress } from './messages.ts';

/** Browser logins: opens the login page, returns the callback parameters, and keeps tokens in secret storage. */
interface BrowserLogins extends Disposable {
  authorize(request: AuthorizationRequest): Promise<AuthorizationAnswer | null>;
  readToken(
    params: ClientRequests['entityGraph/token']['params'],
  ): Promise<ClientRequests['entityGraph/token']['result']>;
  keepToken(params: ClientRequests['entityGraph/keepToken']['params']): Promise<null>;
}

/** Path of the redirect address. */
const callbackPath = '/oauth';

export function createBrowserLogins({ secrets, extension }: ExtensionContext, prompts: PromptBatches): BrowserLogins {
  const arrivals = new EventEmitter<Uri>();
  const handler = window.registerUriHandler({ handleUri: (uri) => arrivals.fire(uri) });

  /** Must equal the registered address, so parameters are added only when the browser cannot reach us otherwise. */
  async function callbackAddress(): Promise<string> {
    const own = Uri.parse(`${env.uriScheme}://${extension.id}${callbackPath}`);
    return env.uiKind === UIKind.Desktop ? own.toString() : (await env.asExternalUri(own)).toString(true);
  }

  /** Waits for the callback with this state; undefined when the user cancels. */
  function comeBack(dataSource: string, state: string): Thenable<URLSearchParams | undefined> {
    const title = l10n.t('Log in to {0} in the browser…', dataSource);
    return withProgress(
      { location: ProgressLocation.Notification, title, cancellable: true },
      (_, token) =>
        new Promise<URLSearchParams | undefined>((resolve) => {
          const arrival = arrivals.event(({ path, query }) => {
            const parameters = new URLSearchParams(query);
            // Any page can open our address, so only a callback with the expected state counts.
            if (path === callbackPath && parameters.get('state') === state) resolve(parameters);
          });
          token.onCancellationRequested(() => {
            arrival.dispose();
            resolve(undefined);
          });
        }),
    );
  }

  /** Undefined when the user cancels. */
  async function authorize(request: AuthorizationRequest): Promise<AuthorizationAnswer | undefined> {
    const { dataSource, url, state } = request;
    const redirectUri = request.redirectUri ?? (await callbackAddress());
    const page = new URL(url);
    page.searchParams.set('redirect_uri', redirectUri);
    const answer = comeBack(dataSource, state);
    if (!(await env.openExternal(Uri.parse(page.href, true)))) return undefined;
    const parameters = await answer;
    if (!parameters) return undefined;
    const code = parameters.get('code');
    if (code !== null) return { redirectUri, code };
    const said = [parameters.get('error'), parameters.get('error_description')].filter((each) => each !== null);
    return { redirectUri, error: said.join(', ') || 'no code came back' };
  }

  return {
    authorize: async (request) => (await prompts.ask(`login ${request.dataSource}`, () => authorize(request))) ?? null,
    readToken: async ({ name }) => ({ value: (await secrets.get(storageKey(name))) ?? null }),
    async keepToken({ name, value }) {
      if (value === null) await secrets.delete(storageKey(name));
      else await secrets.store(storageKey(name), value);
      return null;
    },
    dispose() {
      handler.dispose();
      arrivals.dispose();
    },
  };
}

function storageKey(name: string): string {
  return `entityGraph.token.${name}`;
}
