import type { AuthSettings } from './auth-settings.ts';

/** What of a login no text may contain, also where it stands in the settings as it is, or comes from the environment. */
export function authSecrets(auth: AuthSettings): readonly string[] {
  switch (auth.kind) {
    case 'none':
      return [];
    case 'basic':
      return [auth.password];
    case 'apiKey':
      return [auth.token];
    case 'mtls':
      return [auth.login?.password, auth.certificate.passphrase].filter((each) => each !== undefined);
    case 'oauth2': {
      const { clientSecret, password, refreshToken } = auth.oauth;
      return [clientSecret, password, refreshToken].filter((each) => each !== undefined);
    }
  }
}
