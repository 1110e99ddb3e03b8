import { createHash, randomBytes } from 'node:crypto';
import { SourceError } from '../source-error.ts';
import { keptLogin } from './kept-login.ts';
import { openTokenEndpoint, type ConnectionSettings } from './open-client.ts';
import { requestToken, type OAuthSettings } from './oauth.ts';
import { loginAddress } from './read-address.ts';

/** A page at which a user logs in (RFC 6749, 4.1). The address to come back to is for whoever opens it to add. */
export interface AuthorizationPage {
  readonly url: string;
  /** Comes back with the code: a code with another one is not ours. */
  readonly state: string;
  /** The address to come back to, where the settings name one. */
  readonly redirectUri?: string;
}

export interface AuthorizationCode {
  readonly code: string;
  /** The address that the user came back to. */
  readonly redirectUri: string;
}

/** Lets a user log in, in a browser; undefined when that was given up. Rejects with what the server says instead of a code. */
export type Authorize = (page: AuthorizationPage) => Promise<AuthorizationCode | undefined>;

/** What proves that the code was asked for by us (RFC 7636). */
export interface CodeVerifier {
  readonly verifier: string;
  readonly challenge: string;
}

/** @param random 32 random bytes. */
export function codeVerifier(random: Buffer): CodeVerifier {
  const verifier = random.toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The page of a login: the server learns only the hash of what proves that the code is ours. */
export function authorizationPage(
  { clientId, scope, redirectUri }: OAuthSettings,
  address: URL,
  { state, challenge }: { readonly state: string; readonly challenge: string },
): AuthorizationPage {
  const url = new URL(address.href);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(scope !== undefined && { scope }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, ...(redirectUri !== undefined && { redirectUri }) };
}

/** Whether a source is logged in to in the browser, and whether that has been done. */
export async function signInState(settings: ConnectionSettings): Promise<'not needed' | 'needed' | 'done'> {
  const oauth = browserLogin(settings);
  if (!oauth || oauth.refreshToken !== undefined) return 'not needed';
  return (await keptLogin(settings)?.read()) ? 'done' : 'needed';
}

/** Only one grant has such a login. */
function browserLogin({ auth }: ConnectionSettings): OAuthSettings | undefined {
  return auth.kind === 'oauth2' && auth.oauth.grant === 'authorization_code' ? auth.oauth : undefined;
}

/** Logs a user in and keeps the token; resolves to false when the user gave up. */
export async function signIn(
  settings: ConnectionSettings,
  authorizationPath: string,
  authorize: Authorize,
): Promise<boolean> {
  const { baseUrl, peer, onSecret } = settings;
  const oauth = browserLogin(settings);
  const kept = keptLogin(settings);
  if (!oauth || !kept) {
    throw new SourceError('source-config', `${peer} is not logged in to in the browser.`, {
      remedy: 'Only the grant authorization_code of auth has such a login.',
    });
  }
  const address = loginAddress(baseUrl, 'auth.authorizationUrl', oauth.authorizationUrl, authorizationPath);
  const { verifier, challenge } = codeVerifier(randomBytes(32));
  const state = randomBytes(16).toString('base64url');
  const given = await authorize(authorizationPage(oauth, address, { state, challenge }));
  if (!given) return false;
  const form = { grant_type: 'authorization_code', ...codeForm(given), code_verifier: verifier };
  const token = await requestToken(await openTokenEndpoint(settings), form);
  onSecret(token.accessToken);
  await kept.write(token);
  return true;
}

function codeForm({ code, redirectUri }: AuthorizationCode) {
  return { code, redirect_uri: redirectUri };
}
