import { createHash, randomBytes } from 'node:crypto';
import { requestToken, type OAuthSettings, type TokenEndpoint } from './oauth.ts';
import type { Token } from './token-store.ts';

/** A login page (RFC 6749, 4.1). Whoever opens it adds the redirect address. */
export interface AuthorizationPage {
  readonly url: string;
  /** Must be returned in the callback; other codes are rejected. */
  readonly state: string;
  /** The configured redirect address. */
  readonly redirectUri?: string | undefined;
}

interface AuthorizationCode {
  readonly code: string;
  /** The redirect address that was used. */
  readonly redirectUri: string;
}

/** Performs a browser login; undefined when cancelled. Rejects with the error parameter of the callback. */
export type Authorize = (page: AuthorizationPage) => Promise<AuthorizationCode | undefined>;

/** The PKCE code verifier (RFC 7636). */
interface CodeVerifier {
  readonly verifier: string;
  readonly challenge: string;
}

/** @param random 32 random bytes. */
function codeVerifier(random: Buffer): CodeVerifier {
  const verifier = random.toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The login page with the PKCE code challenge, a hash of the verifier. */
function authorizationPage(
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
  return { url: url.href, state, redirectUri };
}

/** Performs a browser login, and exchanges the code for a token; undefined when cancelled. */
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
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}
