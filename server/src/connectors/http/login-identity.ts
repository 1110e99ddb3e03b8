import { createHash } from 'node:crypto';
import type { AuthSettings } from './auth-settings.ts';

/**
 * A hash that distinguishes logins as far as the settings identify them, without revealing names in cached files.
 * Settings do not contain the user of a browser login.
 */
export function loginIdentity(auth: AuthSettings): string {
  return hashed(JSON.stringify(identityOf(auth))).slice(0, 16);
}

function identityOf(auth: AuthSettings): readonly (string | undefined)[] {
  switch (auth.kind) {
    case 'none':
      return [auth.kind];
    case 'basic':
      return [auth.kind, auth.user];
    case 'oauth2': {
      const { grant, clientId, user, jwt, refreshToken } = auth.oauth;
      const token = grant === 'refresh_token' && refreshToken !== undefined ? traceOf(refreshToken) : undefined;
      return [auth.kind, auth.tokenUrl, grant, clientId, user, jwt?.issuer, jwt?.subject, token];
    }
    case 'mtls': {
      const { certificate, login } = auth;
      return [auth.kind, 'pfx' in certificate ? certificate.pfx : certificate.cert, login?.user];
    }
    case 'bearer':
      return [auth.kind, traceOf(auth.token)];
    case 'apiKey':
      return [auth.kind, 'header' in auth ? auth.header : auth.parameter, traceOf(auth.token)];
  }
}

/** A truncated hash of the secret: sufficient to distinguish two secrets, useless for guessing them. */
function traceOf(secret: string): string {
  return hashed(secret).slice(0, 4);
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
