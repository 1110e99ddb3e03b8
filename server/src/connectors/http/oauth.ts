import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError, isSourceError } from '../source-error.ts';
import type { Authorizer } from './authorizer.ts';
import { jwtAssertion, type JwtSettings } from './jwt-assertion.ts';
import type { StoredToken, Token } from './token-store.ts';

/** OAuth 2.0 settings. */
export interface OAuthSettings {
  readonly grant: 'client_credentials' | 'password' | 'refresh_token' | 'authorization_code' | 'jwt_bearer';
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Where the client's credentials are sent; default: `body`. Every server must take `basic` (RFC 6749, section 2.3.1). */
  readonly clientAuthentication?: 'body' | 'basic';
  readonly scope?: string;
  readonly user?: string;
  readonly password?: string;
  readonly refreshToken?: string;
  /** For `authorization_code`: authorization endpoint and redirect address, if not the defaults. */
  readonly authorizationUrl?: string;
  readonly redirectUri?: string;
  /** For `jwt_bearer`. */
  readonly jwt?: JwtSettings;
}

/** Posts a form to the token endpoint, with further headers; resolves to status and body. */
type PostForm = (
  form: URLSearchParams,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly text: string }>;

export interface TokenEndpoint {
  readonly settings: OAuthSettings;
  readonly postForm: PostForm;
  /** Name of the server in messages. */
  readonly peer: string;
}

interface OAuthOptions {
  /** Receives each token, for redaction. */
  readonly onSecret: (secret: string) => void;
  /** The stored token of a login, shared with other processes. */
  readonly stored?: StoredToken | undefined;
  /** Performs a browser login, for grants that need one; resolves to undefined when cancelled. */
  readonly logIn?: (() => Promise<Token | undefined>) | undefined;
}

/**
 * OAuth 2.0 tokens: requested on first use, shared by all requests, renewed before expiry and after 401, once for all
 * waiting requests.
 */
export function oauthAuthorizer(endpoint: TokenEndpoint, { onSecret, stored, logIn }: OAuthOptions): Authorizer {
  let token: Token | undefined;
  let pending: Promise<Token> | undefined;

  function take(fresh: Token): Token {
    onSecret(fresh.accessToken);
    if (fresh.refreshToken !== undefined) onSecret(fresh.refreshToken);
    return (token = fresh);
  }

  /** The stored token, if valid and not rejected. */
  function keptAndGood(known: Token | undefined, stale: readonly (Token | undefined)[]): Token | undefined {
    if (!known || Date.now() >= known.usedUntil) return undefined;
    return stale.some((each) => each?.accessToken === known.accessToken) ? undefined : take(known);
  }

  /** A storage failure does not matter when a new token can be requested. */
  async function readCached(): Promise<Token | undefined> {
    const isGivenByUser = endpoint.settings.grant === 'authorization_code';
    return stored?.read().catch((error: unknown) => {
      if (isGivenByUser) throw error;
      return undefined;
    });
  }

  async function renew(): Promise<Token> {
    const known = await readCached();
    const good = keptAndGood(known, [token]);
    if (good) return good;
    // Deletes a rejected token for other processes too, whatever the result of requesting a new one.
    const isSpent = known?.refreshToken === undefined && known?.accessToken === token?.accessToken;
    if (known && isSpent) await stored?.write(undefined).catch(() => undefined);
    const refreshToken = known?.refreshToken ?? token?.refreshToken;
    try {
      const fresh = take(await askForToken(endpoint, refreshToken, logIn));
      // A token is used even if it cannot be stored.
      await stored?.write(fresh).catch(() => undefined);
      return fresh;
    } catch (error) {
      if (!stored || !isSourceError(error) || error.code !== 'authentication-failed') throw error;
      const isRenewal = (refreshToken ?? endpoint.settings.refreshToken) !== undefined;
      const other = isRenewal ? await renewedElsewhere(stored, known) : undefined;
      if (other) return other;
      // Deletes an expired login, so that the next use requests a new one.
      if (known) await stored.write(undefined);
      throw error;
    }
  }

  /** With single-use refresh tokens, another process may have renewed the token and be about to store it. */
  async function renewedElsewhere(from: StoredToken, known: Token | undefined): Promise<Token | undefined> {
    for (let looks = 0; looks < 3; looks += 1) {
      const good = keptAndGood(await from.read(), [token, known]);
      if (good) return good;
      await sleep(100);
    }
    return undefined;
  }

  const renewed = (): Promise<Token> =>
    (pending ??= (stored ? stored.exclusively(renew) : renew()).finally(() => (pending = undefined)));

  return {
    async headers(signal) {
      const current = token && Date.now() < token.usedUntil ? token : await unlessAborted(renewed(), signal);
      return { Authorization: `Bearer ${current.accessToken}` };
    },
    async renew(refused, signal) {
      const isCurrent = token !== undefined && refused['Authorization'] === `Bearer ${token.accessToken}`;
      // Another request may have renewed it meanwhile.
      if (!isCurrent) return true;
      // The server may return the same token and thereby confirm it.
      await unlessAborted(renewed(), signal);
      return true;
    },
  };
}

/** Uses the newest refresh token, then that of the settings; if rejected, the grant itself. */
async function askForToken(
  endpoint: TokenEndpoint,
  refreshToken: string | undefined,
  logIn: OAuthOptions['logIn'],
): Promise<Token> {
  const { settings } = endpoint;
  const isRenewed = settings.grant === 'refresh_token' || settings.grant === 'authorization_code';
  const known = [...new Set([refreshToken, settings.refreshToken])].filter((each) => each !== undefined);
  for (const [index, each] of known.entries()) {
    try {
      const fresh = await requestToken(endpoint, { grant_type: 'refresh_token', refresh_token: each });
      // A renewal without a refresh token keeps the old one (RFC 6749, section 6).
      return { refreshToken: each, ...fresh };
    } catch (error) {
      const refused = isSourceError(error) && error.code === 'authentication-failed';
      const isLast = isRenewed && index === known.length - 1;
      if (!refused || (isLast && !logIn)) throw error;
    }
  }
  if (settings.grant === 'authorization_code') {
    const token = await logIn?.();
    if (token) return token;
    throw notSignedIn(endpoint.peer);
  }
  const { user = '', password = '', scope, jwt } = settings;
  const form = {
    ...(jwt
      ? { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: await jwtAssertion(jwt, Date.now()) }
      : { grant_type: settings.grant }),
    ...(settings.grant === 'password' && { username: user, password }),
    ...(scope !== undefined && { scope }),
  };
  return requestToken(endpoint, form);
}

/**
 * Posts a form with the client's credentials to the token endpoint. Rejects with `authentication-failed` when refused.
 */
export async function requestToken(
  { settings, postForm, peer }: TokenEndpoint,
  form: Readonly<Record<string, string>>,
): Promise<Token> {
  const { clientId, clientSecret, clientAuthentication } = settings;
  const { status, text } =
    clientAuthentication === 'basic' && clientSecret !== undefined
      ? await postForm(new URLSearchParams(form), basicClient(clientId, clientSecret))
      : await postForm(
          new URLSearchParams({
            ...form,
            client_id: clientId,
            ...(clientSecret !== undefined && { client_secret: clientSecret }),
          }),
        );
  const answer = parseObject(text);
  const accessToken = answer?.['access_token'];
  // Some servers answer 201 (Created).
  if (status < 200 || status >= 300 || typeof accessToken !== 'string' || accessToken === '') {
    throw refusedToken(settings, status, answer, peer);
  }
  const life = Number(answer?.['expires_in'] ?? 1800) * 1000;
  const refreshToken = answer?.['refresh_token'];
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && refreshToken !== '' && { refreshToken }),
    // Servers may return a token with a short remaining lifetime, so the renewal margin is relative.
    usedUntil: Date.now() + life - Math.min(60_000, life / 10),
  };
}

/** Both parts are encoded as in a form before they are joined (RFC 6749, section 2.3.1). */
function basicClient(clientId: string, clientSecret: string): Readonly<Record<string, string>> {
  const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
  const login = Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64');
  return { Authorization: `Basic ${login}` };
}

function refusedToken(
  { grant, clientSecret, clientAuthentication = 'body' }: OAuthSettings,
  status: number,
  answer: Readonly<Record<string, unknown>> | undefined,
  peer: string,
): SourceError {
  const said = [answer?.['error'], answer?.['error_description']].filter((each) => typeof each === 'string').join(', ');
  if (!answer) {
    return new SourceError('authentication-failed', `${peer} gave no token: status ${status}, and no JSON.`, {
      remedy: 'Check tokenUrl: it must be the token endpoint itself, not a login page.',
    });
  }
  return new SourceError(
    'authentication-failed',
    `${peer} refuses a token for the grant ${grant}: ${said || status}.`,
    {
      remedy:
        answer['error'] === 'invalid_client' && clientSecret !== undefined
          ? `Check clientId and clientSecret. The server may want them elsewhere: set clientAuthentication: ${clientAuthentication === 'body' ? 'basic' : 'body'}, also as quick fix at auth.`
          : remedies[grant],
    },
  );
}

function notSignedIn(peer: string): SourceError {
  return new SourceError('authentication-failed', `${peer} wants a login in the browser, and nobody is logged in.`, {
    remedy:
      'Run the command Entity Graph: Sign In to Data Source in VS Code; on the command line give --sign-in, use another grant, or set refreshToken.',
  });
}

const remedies: Readonly<Record<OAuthSettings['grant'], string>> = {
  client_credentials:
    'Check clientId and clientSecret, and whether the server lets this client log in without a user; some servers want a user assigned to the client.',
  password: 'Check clientId, clientSecret, user and password.',
  refresh_token: 'Check clientId and clientSecret, and whether the refresh token has expired.',
  authorization_code: 'The login may be over: run the command Entity Graph: Sign In to Data Source again.',
  jwt_bearer:
    'Check clientId, clientSecret, subject and key; the certificate of the key must be registered with the client, and both clocks must agree.',
};

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A cancelled request must not end the token request that others wait for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
