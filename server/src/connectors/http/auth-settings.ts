import { resolve } from 'node:path';
import type { OAuthSettings } from './oauth.ts';
import type { Settings, SettingsReader } from './read-settings.ts';

/** How requests are authenticated, secrets filled in. */
export type AuthSettings =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'oauth2'; readonly oauth: OAuthSettings; readonly tokenUrl?: string }
  | { readonly kind: 'mtls'; readonly certificate: CertificateFiles; readonly login?: BasicLogin }
  | { readonly kind: 'apiKey'; readonly header: string; readonly token: string };

interface BasicLogin {
  readonly user: string;
  readonly password: string;
}

/** Absolute paths of PEM files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly passphrase?: string;
}

const kinds = ['basic', 'oauth2', 'mtls', 'apiKey'] as const;
const grants = ['client_credentials', 'password', 'refresh_token'] as const;
const laterGrants = ['authorization_code', 'jwt_bearer'];

/** Checks and types `auth`. Throws a `source-config` error that names the setting. */
export function readAuthSettings(settings: Settings, read: SettingsReader, folder: string): AuthSettings {
  const auth = read.group(settings, 'auth');
  if (!auth) return { kind: 'none' };
  const kind = read.oneOf(auth, 'kind', kinds, 'auth.');
  switch (kind) {
    case 'basic':
      return { kind, user: read.needed(auth, 'user', 'auth.'), password: read.needed(auth, 'password', 'auth.') };
    case 'oauth2': {
      const tokenUrl = read.text(auth, 'tokenUrl', 'auth.');
      return { kind, oauth: readOAuth(auth, read), ...(tokenUrl !== undefined && { tokenUrl }) };
    }
    case 'mtls':
      return readCertificate(auth, read, folder);
    case 'apiKey': {
      const header = read.text(auth, 'header', 'auth.') ?? 'Authorization';
      if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header)) throw read.wrong('auth.header', 'the name of a header');
      return { kind, header, token: read.needed(auth, 'token', 'auth.') };
    }
    default:
      throw read.wrong('auth.kind', `one of ${kinds.join(', ')}`);
  }
}

function readOAuth(auth: Settings, read: SettingsReader): OAuthSettings {
  const asked = read.needed(auth, 'grant', 'auth.');
  if (laterGrants.includes(asked)) {
    throw read.wrong('auth.grant', `one of ${grants.join(', ')}: this version cannot log in by ${asked}`);
  }
  const grant = read.oneOf(auth, 'grant', grants, 'auth.') ?? 'client_credentials';
  const optional = (setting: 'clientSecret' | 'scope' | 'user' | 'password' | 'refreshToken') => {
    const value = read.text(auth, setting, 'auth.');
    return value === undefined ? {} : { [setting]: value };
  };
  if (grant === 'password') for (const setting of ['user', 'password']) read.needed(auth, setting, 'auth.');
  if (grant === 'refresh_token') read.needed(auth, 'refreshToken', 'auth.');
  return {
    grant,
    clientId: read.needed(auth, 'clientId', 'auth.'),
    ...optional('clientSecret'),
    ...optional('scope'),
    ...optional('user'),
    ...optional('password'),
    ...optional('refreshToken'),
  };
}

function readCertificate(auth: Settings, read: SettingsReader, folder: string): AuthSettings {
  const ca = read.text(auth, 'ca', 'auth.');
  const passphrase = read.text(auth, 'passphrase', 'auth.');
  const user = read.text(auth, 'user', 'auth.');
  return {
    kind: 'mtls',
    certificate: {
      cert: resolve(folder, read.needed(auth, 'cert', 'auth.')),
      key: resolve(folder, read.needed(auth, 'key', 'auth.')),
      ...(ca !== undefined && { ca: resolve(folder, ca) }),
      ...(passphrase !== undefined && { passphrase }),
    },
    ...(user !== undefined && { login: { user, password: read.needed(auth, 'password', 'auth.') } }),
  };
}
