import { createHash, verify } from 'node:crypto';
import type { SimulatedAnswer, SimulatedRequest } from './http-answer.ts';

/** Logins, and issued tokens. */
export interface Logins {
  user: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds; short in tests. */
  tokenLife: number;
  /** Whether each renewal issues a new refresh token and revokes the previous one. */
  rotates: boolean;
  /** Whether a reused refresh token ends every login of the client: it may have been stolen (RFC 9700, 4.14.2). */
  revokesReused: boolean;
  readonly usedRefreshTokens: Set<string>;
  /** Whether a renewal returns the refresh token; otherwise the used one stays valid (RFC 6749, section 6). */
  namesRefreshToken: boolean;
  readonly tokens: Map<string, { readonly expires: number; readonly refreshToken: string | undefined }>;
  readonly refreshTokens: Set<string>;
  /** Codes issued by the login page and not exchanged yet. */
  readonly codes: Map<string, { readonly redirectUri: string; readonly challenge: string }>;
  /** PEM text of the public key for verifying assertions. */
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

/** `/oauth_token.do`: accepts forms only, and answers nearly all mistakes alike. */
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

/** `/oauth_auth.do`, as answered to a browser with a logged-in user who grants the client's request. */
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

/** Whether the request has a login; without one the instance answers 401. */
export function isLoggedIn(logins: Logins, request: SimulatedRequest): boolean {
  const [scheme = '', value = ''] = (request.headers['authorization'] ?? '').split(' ');
  if (scheme === 'Basic') return Buffer.from(value, 'base64').toString('utf8') === `${logins.user}:${logins.password}`;
  return scheme === 'Bearer' && (logins.tokens.get(value)?.expires ?? 0) > Date.now();
}

/** A valid token is issued again, with its remaining life time. */
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
