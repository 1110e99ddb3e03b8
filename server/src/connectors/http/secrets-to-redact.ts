import type { AuthSettings } from './auth-settings.ts';
import { configuredProxyUrl, proxySecrets } from './choose-proxy.ts';
import type { ConnectionConfig } from './connection-settings.ts';

/** Credentials to redact in messages. */
export function httpSecrets({ auth, proxy }: Pick<ConnectionConfig, 'auth' | 'proxy'>): readonly string[] {
  const url = configuredProxyUrl(proxy);
  return [...authSecrets(auth), ...(url ? proxySecrets({ url }) : [])];
}

function authSecrets(auth: AuthSettings): readonly string[] {
  switch (auth.kind) {
    case 'none':
      return [];
    case 'basic':
      return [auth.password, basicText(auth)];
    case 'bearer':
    case 'apiKey':
      return [auth.token];
    case 'mtls': {
      const { login, certificate } = auth;
      return [...(login ? [login.password, basicText(login)] : []), ...given(certificate.passphrase)];
    }
    case 'oauth2': {
      const { clientSecret, password, refreshToken, jwt } = auth.oauth;
      return given(clientSecret, password, refreshToken, jwt?.passphrase);
    }
  }
}

/** Redacted as sent, as a whole: a part could not be recognised. */
function basicText({ user, password }: { readonly user: string; readonly password: string }): string {
  return Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
}

function given(...texts: readonly (string | undefined)[]): readonly string[] {
  return texts.filter((text) => text !== undefined);
}
