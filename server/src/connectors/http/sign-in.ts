import { SourceError } from '../source-error.ts';
import { type Authorize, tokenByBrowser } from './browser-login.ts';
import type { ConnectionSettings } from './client-settings.ts';
import { storedLogin } from './stored-login.ts';
import type { OAuthSettings } from './oauth.ts';
import { loginPage, openTokenEndpoint } from './open-client.ts';

/** Whether a source uses a browser login, and whether there is a token. */
export async function signInState(settings: ConnectionSettings): Promise<'not needed' | 'needed' | 'done'> {
  const oauth = browserLogin(settings);
  if (!oauth || oauth.refreshToken !== undefined) return 'not needed';
  return (await storedLogin(settings)?.read()) ? 'done' : 'needed';
}

/** Only one grant uses a browser. */
function browserLogin({ auth }: ConnectionSettings): OAuthSettings | undefined {
  return auth.kind === 'oauth2' && auth.oauth.grant === 'authorization_code' ? auth.oauth : undefined;
}

/** Performs a browser login and stores the token; resolves to false when cancelled. */
export async function signIn(settings: ConnectionSettings, authorize: Authorize): Promise<boolean> {
  const { peer, onSecret } = settings;
  const oauth = browserLogin(settings);
  const stored = storedLogin(settings);
  if (!oauth || !stored) {
    throw new SourceError('source-config', `${peer} is not logged in to in the browser.`, {
      remedy: 'Only the grant authorization_code of auth has such a login.',
    });
  }
  const token = await tokenByBrowser(await openTokenEndpoint(settings), loginPage(settings, oauth), authorize);
  if (!token) return false;
  onSecret(token.accessToken);
  await stored.write(token);
  return true;
}
