import { createHash, verify } from 'node:crypto';
import type { SimulatedAnswer, SimulatedRequest } from './http-answer.ts';

/** Who may log in, and the tokens that were handed out. */
export interface Logins {
  user: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds; tests make it short. */
  tokenLife: number;
  /** Whether each renewal makes a new refresh token, after which the one before is worth nothing. */
  rotates: boolean;
  /** Whether a refresh token that is used once more ends every login of the client: it may have been stolen (RFC 9700, 4.14.2). */
  revokesReused: boolean;
  readonly usedRefreshTokens: Set<string>;
  /** Whether a renewal names the refresh token; where it does not, the one that was used stays good (RFC 6749, section 6). */
  namesRefreshToken: boolean;
  readonly tokens: Map<string, { readonly expires: number; readonly refreshToken: string | undefined }>;
  readonly refreshTokens: Set<string>;
  /** Codes that were handed out at the login page and not taken yet. */
  readonly codes: Map<string, { readonly redirectUri: string; readonly challenge: string }>;
  /** PEM text of the public key that assertions are checked with. */
  jwtKey: string | undefined;
  readonly newToken: () => string;
}

export function createLogins(newToken: () => string): Logins {
  return {
    user: 'analyst',
    password: 'geheim & süß',
    clientId: 'client-1',
    clientSecret: 'client secret/1',
    tokenLife: 1800,
    rotates: false,
    revokesReused: false,
    usedRefreshTokens: new Set(),
    namesRefreshToken: true,
    tokens: new Map(),
    refreshTokens: new Set(),
    codes: new Map(),
    jwtKey: undefined,
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
      if (logins.revokesReused && logins.usedRefreshTokens.has(refreshToken)) {
        logins.refreshTokens.clear();
        logins.tokens.clear();
      }
      if (!logins.refreshTokens.has(refreshToken)) return denied();
      if (!logins.rotates) return handOut(logins, refreshToken, logins.namesRefreshToken);
      const next = logins.newToken();
      logins.refreshTokens.delete(refreshToken);
      logins.usedRefreshTokens.add(refreshToken);
      logins.refreshTokens.add(next);
      return handOut(logins, next);
    }
    case 'authorization_code': {
      const code = logins.codes.get(form.get('code') ?? '');
      logins.codes.delete(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (code?.redirectUri !== form.get('redirect_uri') || code.challenge !== proof) return denied();
      const refreshToken = logins.newToken();
      logins.refreshTokens.add(refreshToken);
      return handOut(logins, refreshToken);
    }
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
      return isGoodAssertion(logins, form.get('assertion') ?? '') ? handOut(logins, undefined) : denied();
    default:
      return denied();
  }
}

/** `/oauth_auth.do` as it answers a browser in which somebody is logged in and allows the client what it asks for. */
export function authorizationPage(logins: Logins, { parameters }: SimulatedRequest): SimulatedAnswer {
  const redirectUri = parameters.get('redirect_uri') ?? '';
  const isKnown = parameters.get('client_id') === logins.clientId && redirectUri !== '';
  if (!isKnown || parameters.get('response_type') !== 'code') return denied();
  const back = new URL(redirectUri);
  back.searchParams.set('state', parameters.get('state') ?? '');
  if (parameters.get('code_challenge_method') !== 'S256') back.searchParams.set('error', 'invalid_request');
  else {
    const code = logins.newToken();
    logins.codes.set(code, { redirectUri, challenge: parameters.get('code_challenge') ?? '' });
    back.searchParams.set('code', code);
  }
  return { status: 302, headers: { Location: back.href } };
}

function isGoodAssertion(logins: Logins, assertion: string): boolean {
  const [header = '', claims = '', signature = ''] = assertion.split('.');
  if (!logins.jwtKey || signature === '') return false;
  const { alg } = part(header);
  const hash = `sha${String(alg).slice(2)}`;
  const key = { key: logins.jwtKey, dsaEncoding: 'ieee-p1363' as const };
  const isSigned = verify(hash, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
  const { iss, aud, sub, exp } = part(claims);
  const isOurs = iss === logins.clientId && aud === logins.clientId && sub === logins.user;
  return isSigned && isOurs && Number(exp) * 1000 > Date.now();
}

function part(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<string, unknown>;
}

/** Whether the request carries a login; without one the instance answers 401. */
export function isLoggedIn(logins: Logins, request: SimulatedRequest): boolean {
  const [scheme = '', value = ''] = (request.headers['authorization'] ?? '').split(' ');
  if (scheme === 'Basic') return Buffer.from(value, 'base64').toString('utf8') === `${logins.user}:${logins.password}`;
  return scheme === 'Bearer' && (logins.tokens.get(value)?.expires ?? 0) > Date.now();
}

/** A token that is still valid is handed out again, with the life that is left to it. */
function handOut(logins: Logins, refreshToken: string | undefined, isNamed = true): SimulatedAnswer {
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
      ...(isNamed && refreshToken !== undefined && { refresh_token: refreshToken }),
      scope: 'useraccount',
      token_type: 'Bearer',
      expires_in: Math.floor((expires - Date.now()) / 1000),
    },
  };
}

function denied(): SimulatedAnswer {
  return { status: 401, body: { error_description: 'access_denied', error: 'server_error' } };
}
