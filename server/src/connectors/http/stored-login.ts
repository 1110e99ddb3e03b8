import { createHash } from 'node:crypto';
import { readSettingFile } from '../read-setting-file.ts';
import type { ConnectionSettings } from './client-settings.ts';
import type { OAuthSettings } from './oauth.ts';
import { loginAddress } from './read-address.ts';
import { storedToken, type StoredToken } from './token-store.ts';

/** Storage key of a login's token; undefined when it is not stored. */
export function storedLogin({ auth, baseUrl, tokenPath, httpContext }: ConnectionSettings): StoredToken | undefined {
  const store = httpContext?.tokens;
  if (!store || auth.kind !== 'oauth2') return undefined;
  const tokenUrl = loginAddress(baseUrl, 'auth.tokenUrl', auth.tokenUrl, tokenPath);
  const login: Login = {
    oauth: auth.oauth,
    tokenUrl,
    host: baseUrl.origin,
    workspaceFolder: httpContext?.workspaceFolder ?? '',
  };
  return storedToken(store, tokenName(login), () => tokenProof(login));
}

interface Login {
  readonly oauth: OAuthSettings;
  readonly tokenUrl: URL;
  /** Origin of the host that receives the token. */
  readonly host: string;
  /** Workspace folder of the login. */
  readonly workspaceFolder: string;
}

/**
 * A distinct key for each server, client, scope and user, so that no token reaches another host. Application logins
 * have separate keys from user logins.
 */
function tokenName({ oauth, tokenUrl, host, workspaceFolder }: Login): string {
  const { grant, clientId, scope, user, jwt } = oauth;
  const login = [tokenUrl.href, clientId, scope ?? ''];
  if (isOfProgram(oauth)) return ['oauth', grant, host, ...login, ...(jwt ? [jwt.subject] : [])].join(' ');
  return ['login', JSON.stringify([workspaceFolder, host, ...login, user ?? ''])].join(' ');
}

/**
 * A token is valid for its credentials only: a changed password requires a new token. The user of a browser login is
 * not in the settings.
 */
async function tokenProof({ oauth, tokenUrl, host }: Login): Promise<string | undefined> {
  const { grant, clientId, clientSecret, scope, password, refreshToken, jwt } = oauth;
  if (grant === 'authorization_code') return undefined;
  if (!isOfProgram(oauth)) return hashed([grant, clientSecret, password, refreshToken]);
  // An unreadable key is reported when a token is requested.
  const key = jwt && (await readSettingFile(jwt.keyFile).then(String, () => null));
  return hashed([grant, tokenUrl.href, host, clientId, clientSecret, scope, jwt, key]);
}

function isOfProgram({ grant }: OAuthSettings): boolean {
  return grant === 'client_credentials' || grant === 'jwt_bearer';
}

function hashed(given: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(given)).digest('base64url');
}
