import { SourceError, isSourceError } from '../source-error.ts';
import type { Authorizer } from './authorizer.ts';

/** How tokens are asked for. */
export interface OAuthSettings {
  readonly grant: 'client_credentials' | 'password' | 'refresh_token';
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly user?: string;
  readonly password?: string;
  readonly refreshToken?: string;
}

/** Posts a form to the token endpoint and resolves to the status and text of its answer. */
export type PostForm = (form: URLSearchParams) => Promise<{ readonly status: number; readonly text: string }>;

interface Token {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch from which it is no longer used: shortly before it expires. */
  readonly usedUntil: number;
}

/**
 * Tokens of OAuth 2.0: asked for when first needed, shared by all requests, renewed before they expire and after 401,
 * once however many requests wait for it. `onSecret` learns each token, so that no message shows one.
 */
export function oauthAuthorizer(
  settings: OAuthSettings,
  postForm: PostForm,
  peer: string,
  onSecret: (secret: string) => void,
): Authorizer {
  let token: Token | undefined;
  let pending: Promise<Token> | undefined;

  const renewed = (): Promise<Token> =>
    (pending ??= askForToken(settings, token?.refreshToken, postForm, peer)
      .then((fresh) => {
        onSecret(fresh.accessToken);
        if (fresh.refreshToken !== undefined) onSecret(fresh.refreshToken);
        const refreshToken = fresh.refreshToken ?? token?.refreshToken;
        token = { ...fresh, ...(refreshToken !== undefined && { refreshToken }) };
        return token;
      })
      .finally(() => (pending = undefined)));

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

/** A refresh token first, where there is one; when that is refused, the grant itself. */
async function askForToken(
  settings: OAuthSettings,
  refreshToken: string | undefined,
  postForm: PostForm,
  peer: string,
): Promise<Token> {
  const known = refreshToken ?? settings.refreshToken;
  if (known !== undefined) {
    const form = { grant_type: 'refresh_token', refresh_token: known };
    try {
      return await requestToken(settings, form, postForm, peer);
    } catch (error) {
      const refused = isSourceError(error) && error.code === 'authentication-failed';
      if (!refused || settings.grant === 'refresh_token') throw error;
    }
  }
  const { user = '', password = '', scope } = settings;
  const form = {
    grant_type: settings.grant,
    ...(settings.grant === 'password' && { username: user, password }),
    ...(scope !== undefined && { scope }),
  };
  return requestToken(settings, form, postForm, peer);
}

async function requestToken(
  settings: OAuthSettings,
  form: Readonly<Record<string, string>>,
  postForm: PostForm,
  peer: string,
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

const remedies: Readonly<Record<OAuthSettings['grant'], string>> = {
  client_credentials:
    'Check clientId and clientSecret; the instance also needs the property glide.oauth.inbound.client.credential.grant_type.enabled and an application user on the registry entry.',
  password: 'Check clientId, clientSecret, user and password.',
  refresh_token: 'Check clientId and clientSecret, and whether the refresh token has expired.',
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
