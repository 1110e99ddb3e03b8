import { createHash, randomBytes } from 'node:crypto';
import { requestToken, type OAuthSettings, type TokenEndpoint } from './oauth.ts';
import type { Token } from './token-store.ts';

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

/** Lets a user log in at a page, and exchanges the code that comes back for a token; undefined when the user gave up. */
export async function tokenByBrowser(
  endpoint: TokenEndpoint,
  address: URL,
  authorize: Authorize,
): Promise<Token | undefined> {
  const { verifier, challenge } = codeVerifier(randomBytes(32));
  const state = randomBytes(16).toString('base64url');
  const given = await authorize(authorizationPage(endpoint.settings, address, { state, challenge }));
  if (!given) return undefined;
  const { code, redirectUri } = given;
  return requestToken(endpoint, {
    ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
  });
}
