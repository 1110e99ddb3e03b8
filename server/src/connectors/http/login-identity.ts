import { createHash, createHmac } from 'node:crypto';
import { userKey } from '../../files/user-key.ts';
import type { AuthSettings } from './auth-settings.ts';

/**
 * A hash that distinguishes logins as far as the settings identify them, without revealing names in cached files.
 * Settings do not contain the user of a browser login.
 * @param key for tokens; default: that of this user
 */
export function loginIdentity(auth: AuthSettings, key?: Buffer): string {
  const identity = JSON.stringify(identityOf(auth, (token) => traceOf(token, key)));
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}

function identityOf(auth: AuthSettings, trace: (token: string) => string): readonly (string | undefined)[] {
  switch (auth.kind) {
    case 'none':
      return [auth.kind];
    case 'basic':
      return [auth.kind, auth.user];
    case 'oauth2': {
      const { grant, clientId, user, jwt, refreshToken } = auth.oauth;
      const token = grant === 'refresh_token' && refreshToken !== undefined ? trace(refreshToken) : undefined;
      return [auth.kind, auth.tokenUrl, grant, clientId, user, jwt?.issuer, jwt?.subject, token];
    }
    case 'mtls': {
      const { certificate, login } = auth;
      return [auth.kind, 'pfx' in certificate ? certificate.pfx : certificate.cert, login?.user];
    }
    case 'bearer':
      return [auth.kind, trace(auth.token)];
    case 'apiKey':
      return [auth.kind, 'header' in auth ? auth.header : auth.parameter, trace(auth.token)];
  }
}

/**
 * A token may be the only difference between two users. To prevent guessing a token from a file of the project, it is
 * hashed with a key that only this user can read and that is stored elsewhere. For other users and machines, the cache
 * is invalid.
 */
function traceOf(token: string, key = userKey()): string {
  return createHmac('sha256', key).update(token).digest('hex');
}
