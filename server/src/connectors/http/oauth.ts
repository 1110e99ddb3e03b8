import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError, isSourceError } from '../source-error.ts';
import type { Authorizer } from './authorizer.ts';
import { jwtAssertion, type JwtSettings } from './jwt-assertion.ts';
import type { KeptToken, Token } from './token-store.ts';

/** How tokens are asked for. */
export interface OAuthSettings {
  readonly grant: 'client_credentials' | 'password' | 'refresh_token' | 'authorization_code' | 'jwt_bearer';
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly user?: string;
  readonly password?: string;
  readonly refreshToken?: string;
  /** For `authorization_code`: where users log in, and where they are sent afterwards, when not the usual ones. */
  readonly authorizationUrl?: string;
  readonly redirectUri?: string;
  /** For `jwt_bearer`. */
  readonly jwt?: JwtSettings;
}

/** Posts a form to the token endpoint and resolves to the status and text of its answer. */
export type PostForm = (form: URLSearchParams) => Promise<{ readonly status: number; readonly text: string }>;

export interface TokenEndpoint {
  readonly settings: OAuthSettings;
  readonly postForm: PostForm;
  /** What messages call the other side. */
  readonly peer: string;
}

export interface OAuthOptions {
  /** Learns each token, so that no message shows one. */
  readonly onSecret: (secret: string) => void;
  /** The token of a login, which outlives the program, and which other programs renew as well. */
  readonly kept?: KeptToken | undefined;
  /** Lets a user log in for a grant that needs one; resolves to undefined when the user gave up. */
  readonly logIn?: (() => Promise<Token | undefined>) | undefined;
}

/**
 * Tokens of OAuth 2.0: asked for when first needed, shared by all requests, renewed before they expire and after 401,
 * once however many requests wait for it.
 */
export function oauthAuthorizer(endpoint: TokenEndpoint, { onSecret, kept, logIn }: OAuthOptions): Authorizer {
  let token: Token | undefined;
  let pending: Promise<Token> | undefined;

  function take(fresh: Token): Token {
    onSecret(fresh.accessToken);
    if (fresh.refreshToken !== undefined) onSecret(fresh.refreshToken);
    return (token = fresh);
  }

  /** The kept token, when it is good and not one of those that are to be renewed. */
  function keptAndGood(known: Token | undefined, stale: readonly (Token | undefined)[]): Token | undefined {
    if (!known || Date.now() >= known.usedUntil) return undefined;
    return stale.some((each) => each?.accessToken === known.accessToken) ? undefined : take(known);
  }

  /** Who can ask for a token anew does not depend on what was kept. */
  async function readKept(): Promise<Token | undefined> {
    const isGivenByUser = endpoint.settings.grant === 'authorization_code';
    return kept?.read().catch((error: unknown) => {
      if (isGivenByUser) throw error;
      return undefined;
    });
  }

  async function renew(): Promise<Token> {
    const known = await readKept();
    const good = keptAndGood(known, [token]);
    if (good) return good;
    // What was refused is of no use to another program either, whatever comes of asking for another one.
    const isSpent = known?.refreshToken === undefined && known?.accessToken === token?.accessToken;
    if (known && isSpent) await kept?.write(undefined).catch(() => undefined);
    const refreshToken = known?.refreshToken ?? token?.refreshToken;
    try {
      const fresh = take(await askForToken(endpoint, refreshToken, logIn));
      // What cannot be kept is good all the same.
      await kept?.write(fresh).catch(() => undefined);
      return fresh;
    } catch (error) {
      if (!kept || !isSourceError(error) || error.code !== 'authentication-failed') throw error;
      const isRenewal = (refreshToken ?? endpoint.settings.refreshToken) !== undefined;
      const other = isRenewal ? await renewedElsewhere(kept, known) : undefined;
      if (other) return other;
      // A login that is over is forgotten, so that the next use asks for a new one.
      if (known) await kept.write(undefined);
      throw error;
    }
  }

  /** Where a refresh token is good for one renewal only, another program may have been faster, and be about to keep what it got. */
  async function renewedElsewhere(from: KeptToken, known: Token | undefined): Promise<Token | undefined> {
    for (let looks = 0; looks < 3; looks += 1) {
      const good = keptAndGood(await from.read(), [token, known]);
      if (good) return good;
      await sleep(100);
    }
    return undefined;
  }

  const renewed = (): Promise<Token> =>
    (pending ??= (kept ? kept.alone(renew) : renew()).finally(() => (pending = undefined)));

  return {
    async headers(signal) {
      const current = token && Date.now() < token.usedUntil ? token : await unlessAborted(renewed(), signal);
      return { Authorization: `Bearer ${current.accessToken}` };
    },
    async renew(refused, signal) {
      const isCurrent = token !== undefined && refused['Authorization'] === `Bearer ${token.accessToken}`;
      // Another request may have renewed it meanwhile.
      if (!isCurrent) return true;
      // The same token may come back: it is the server's word that it is good.
      await unlessAborted(renewed(), signal);
      return true;
    },
  };
}

/** A refresh token first, where there is one, the newest before that of the settings; when that is refused, the grant itself. */
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
      // A renewal that names no refresh token leaves the one that was used as it is (RFC 6749, section 6).
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

/** Asks the token endpoint with a form, to which the client is added. Rejects with `authentication-failed` when it refuses. */
export async function requestToken(
  { settings, postForm, peer }: TokenEndpoint,
  form: Readonly<Record<string, string>>,
): Promise<Token> {
  const { clientId, clientSecret } = settings;
  const { status, text } = await postForm(
    new URLSearchParams({
      ...form,
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    }),
  );
  const answer = parseObject(text);
  const accessToken = answer?.['access_token'];
  if (status !== 200 || typeof accessToken !== 'string' || accessToken === '') {
    throw refusedToken(settings, status, answer, peer);
  }
  const life = Number(answer?.['expires_in'] ?? 1800) * 1000;
  const refreshToken = answer?.['refresh_token'];
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && refreshToken !== '' && { refreshToken }),
    // A token that is still good is handed out again with what is left of its life: a fixed margin would never be left.
    usedUntil: Date.now() + life - Math.min(60_000, life / 10),
  };
}

function refusedToken(
  { grant }: OAuthSettings,
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
      remedy: remedies[grant],
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
    'Check clientId and clientSecret; the instance also needs the property glide.oauth.inbound.client.credential.grant_type.enabled and an application user on the registry entry.',
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

/** One request that gives up must not end the token request that others wait for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
