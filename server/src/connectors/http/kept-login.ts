import { createHash } from 'node:crypto';
import { readSettingFile } from '../read-setting-file.ts';
import type { ConnectionSettings } from './client-settings.ts';
import type { OAuthSettings } from './oauth.ts';
import { loginAddress } from './read-address.ts';
import { keptToken, type KeptToken } from './token-store.ts';

/** Where the token of a login is kept; undefined when it is not, or nowhere. */
export function keptLogin({ auth, baseUrl, tokenPath, surroundings }: ConnectionSettings): KeptToken | undefined {
  const store = surroundings?.tokens;
  if (!store || auth.kind !== 'oauth2') return undefined;
  const tokenUrl = loginAddress(baseUrl, 'auth.tokenUrl', auth.tokenUrl, tokenPath);
  const login: Login = {
    ...{ oauth: auth.oauth, tokenUrl, host: baseUrl.origin },
    workspaceFolder: surroundings?.workspaceFolder ?? '',
  };
  return keptToken(store, tokenName(login), () => tokenProof(login));
}

interface Login {
  readonly oauth: OAuthSettings;
  readonly tokenUrl: URL;
  /** Origin of the host that the token is sent to. */
  readonly host: string;
  /** Where the user logged in: another folder has logins of its own. */
  readonly workspaceFolder: string;
}

/**
 * One name for each login: another server, client, scope or user is another one, so that no token reaches a host that it was not given for. Logins of programs have names of their own, as none of them may
 * take the place of a user's.
 */
function tokenName({ oauth, tokenUrl, host, workspaceFolder }: Login): string {
  const { grant, clientId, scope, user, jwt } = oauth;
  const login = [tokenUrl.href, clientId, scope ?? ''];
  if (isOfProgram(oauth)) return ['oauth', grant, host, ...login, ...(jwt ? [jwt.subject] : [])].join(' ');
  return ['login', JSON.stringify([workspaceFolder, host, ...login, user ?? ''])].join(' ');
}

/**
 * A token is good for the secrets only that it was given for: with another password it has to be asked for anew. Who logged in in the browser no
 * setting says.
 */
async function tokenProof({ oauth, tokenUrl, host }: Login): Promise<string | undefined> {
  const { grant, clientId, clientSecret, scope, password, refreshToken, jwt } = oauth;
  if (grant === 'authorization_code') return undefined;
  if (!isOfProgram(oauth)) return hashed([grant, clientSecret, password, refreshToken]);
  // A key that cannot be read is told of when a token is asked for.
  const key = jwt && (await readSettingFile(jwt.keyFile).then(String, () => null));
  return hashed([grant, tokenUrl.href, host, clientId, clientSecret, scope, jwt, key]);
}

function isOfProgram({ grant }: OAuthSettings): boolean {
  return grant === 'client_credentials' || grant === 'jwt_bearer';
}

function hashed(given: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(given)).digest('base64url');
}
