import type { SimulatedAnswer, SimulatedRequest } from './http-answer.ts';

/** Who may log in, and the tokens that were handed out. */
export interface Logins {
  readonly user: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds; tests make it short. */
  tokenLife: number;
  readonly tokens: Map<string, { readonly expires: number; readonly refreshToken: string | undefined }>;
  readonly refreshTokens: Set<string>;
  readonly newToken: () => string;
}

export function createLogins(newToken: () => string): Logins {
  return {
    user: 'analyst',
    password: 'geheim & süß',
    clientId: 'client-1',
    clientSecret: 'client secret/1',
    tokenLife: 1800,
    tokens: new Map(),
    refreshTokens: new Set(),
    newToken,
  };
}

/** `/oauth_token.do`: takes a form only, and answers nearly every mistake alike. */
export function tokenEndpoint(logins: Logins, request: SimulatedRequest): SimulatedAnswer {
  const isForm = /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
  if (request.method !== 'POST' || !isForm) return denied();
  const form = new URLSearchParams(request.body.toString('utf8'));
  if (form.get('client_id') !== logins.clientId || form.get('client_secret') !== logins.clientSecret) return denied();
  switch (form.get('grant_type')) {
    case 'client_credentials':
      return handOut(logins, undefined);
    case 'password': {
      if (form.get('username') !== logins.user || form.get('password') !== logins.password) return denied();
      const refreshToken = logins.newToken();
      logins.refreshTokens.add(refreshToken);
      return handOut(logins, refreshToken);
    }
    case 'refresh_token': {
      const refreshToken = form.get('refresh_token') ?? '';
      if (!logins.refreshTokens.has(refreshToken)) return denied();
      return handOut(logins, refreshToken);
    }
    default:
      return denied();
  }
}

/** Whether the request carries a login; without one the instance answers 401. */
export function isLoggedIn(logins: Logins, request: SimulatedRequest): boolean {
  const [scheme = '', value = ''] = (request.headers['authorization'] ?? '').split(' ');
  if (scheme === 'Basic') return Buffer.from(value, 'base64').toString('utf8') === `${logins.user}:${logins.password}`;
  return scheme === 'Bearer' && (logins.tokens.get(value)?.expires ?? 0) > Date.now();
}

/** A token that is still valid is handed out again, with the life that is left to it. */
function handOut(logins: Logins, refreshToken: string | undefined): SimulatedAnswer {
  const known = [...logins.tokens].find(
    ([, token]) => token.refreshToken === refreshToken && token.expires - Date.now() > 1000,
  );
  const token = known?.[0] ?? logins.newToken();
  const expires = known?.[1].expires ?? Date.now() + logins.tokenLife * 1000;
  logins.tokens.set(token, { expires, refreshToken });
  return {
    status: 200,
    body: {
      access_token: token,
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      scope: 'useraccount',
      token_type: 'Bearer',
      expires_in: Math.floor((expires - Date.now()) / 1000),
    },
  };
}

function denied(): SimulatedAnswer {
  return { status: 401, body: { error_description: 'access_denied', error: 'server_error' } };
}
