import { resolve } from 'node:path';
import { jwtAlgorithms, type JwtSettings } from './jwt-assertion.ts';
import type { OAuthSettings } from './oauth.ts';
import type { SettingsReader } from '../settings-reader.ts';
import type { Settings } from '../source-settings.ts';

/** Authentication settings with resolved secrets. */
export type AuthSettings =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'oauth2'; readonly oauth: OAuthSettings; readonly tokenUrl?: string | undefined }
  | { readonly kind: 'mtls'; readonly certificate: CertificateFiles; readonly login?: BasicLogin }
  /** A ready access token. */
  | { readonly kind: 'bearer'; readonly token: string }
  | ({ readonly kind: 'apiKey'; readonly token: string } & KeyPlace);

/** A key in a header, or in a query parameter. */
type KeyPlace = { readonly header: string } | { readonly parameter: string };

interface BasicLogin {
  readonly user: string;
  readonly password: string;
}

/** Absolute paths: two PEM files, or one PFX file with both. */
export type CertificateFiles = ({ readonly cert: string; readonly key: string } | { readonly pfx: string }) & {
  readonly ca?: string;
  readonly passphrase?: string | undefined;
};

const kinds = ['basic', 'oauth2', 'bearer', 'mtls', 'apiKey'] as const;
const grants = ['client_credentials', 'password', 'refresh_token', 'authorization_code', 'jwt_bearer'] as const;

/** Parses `auth`. Throws a `source-config` error that names the setting. */
export function readAuthSettings(settings: Settings, read: SettingsReader, folder: string): AuthSettings {
  const auth = read.group(settings, 'auth');
  if (!auth) return { kind: 'none' };
  const kind = read.oneOf(auth, 'kind', kinds, 'auth.');
  switch (kind) {
    case 'basic':
      return { kind, user: read.needed(auth, 'user', 'auth.'), password: readPassword(auth, read) };
    case 'oauth2': {
      const tokenUrl = read.text(auth, 'tokenUrl', 'auth.');
      return { kind, oauth: readOAuth(auth, read, folder), tokenUrl };
    }
    case 'bearer': {
      // Tokens are often copied with the name of their scheme.
      const token = read
        .needed(auth, 'token', 'auth.')
        .trim()
        .replace(/^bearer\s+/i, '');
      // RFC 6750, 2.1.
      if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) throw read.wrong('auth.token', 'an access token, without spaces');
      return { kind, token };
    }
    case 'mtls':
      return readCertificate(auth, read, folder);
    case 'apiKey': {
      const token = read.needed(auth, 'token', 'auth.');
      const parameter = read.text(auth, 'parameter', 'auth.');
      if (parameter !== undefined) {
        if (auth['header'] !== undefined) throw read.wrong('auth.parameter', 'without auth.header: a key is sent once');
        return { kind, parameter, token };
      }
      const header = read.text(auth, 'header', 'auth.') ?? 'Authorization';
      if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header)) throw read.wrong('auth.header', 'the name of a header');
      return { kind, header, token };
    }
    default:
      throw read.wrong('auth.kind', `one of ${kinds.join(', ')}`);
  }
}

/** Empty for services that take a key as user name. */
function readPassword(auth: Settings, read: SettingsReader): string {
  return auth['password'] === '' ? '' : read.needed(auth, 'password', 'auth.');
}

function readOAuth(auth: Settings, read: SettingsReader, folder: string): OAuthSettings {
  read.needed(auth, 'grant', 'auth.');
  const grant = read.oneOf(auth, 'grant', grants, 'auth.') ?? 'client_credentials';
  const optional = (setting: (typeof oauthTexts)[number]) => {
    const value = read.text(auth, setting, 'auth.');
    return value === undefined ? {} : { [setting]: value };
  };
  for (const setting of neededByGrant[grant] ?? []) read.needed(auth, setting, 'auth.');
  const clientId = read.needed(auth, 'clientId', 'auth.');
  const clientAuthentication = read.oneOf(auth, 'clientAuthentication', ['body', 'basic'] as const, 'auth.');
  return {
    grant,
    clientId,
    ...(clientAuthentication !== undefined && { clientAuthentication }),
    ...Object.assign({}, ...oauthTexts.map(optional)),
    ...(grant === 'jwt_bearer' && { jwt: readJwt(auth, clientId, read, folder) }),
  };
}

const oauthTexts = [
  ...(['clientSecret', 'scope', 'user', 'password', 'refreshToken', 'authorizationUrl', 'redirectUri'] as const),
] as const;

const neededByGrant: Readonly<Partial<Record<OAuthSettings['grant'], readonly string[]>>> = {
  password: ['user', 'password'],
  refresh_token: ['refreshToken'],
  jwt_bearer: ['key', 'subject'],
};

function readJwt(auth: Settings, clientId: string, read: SettingsReader, folder: string): JwtSettings {
  const [keyId, passphrase] = [read.text(auth, 'keyId', 'auth.'), read.text(auth, 'passphrase', 'auth.')];
  return {
    keyFile: resolve(folder, read.needed(auth, 'key', 'auth.')),
    algorithm: read.oneOf(auth, 'algorithm', jwtAlgorithms, 'auth.') ?? 'RS256',
    issuer: read.text(auth, 'issuer', 'auth.') ?? clientId,
    audience: read.text(auth, 'audience', 'auth.') ?? clientId,
    subject: read.needed(auth, 'subject', 'auth.'),
    keyId,
    passphrase,
  };
}

function readCertificate(auth: Settings, read: SettingsReader, folder: string): AuthSettings {
  const file = (setting: string) => resolve(folder, read.needed(auth, setting, 'auth.'));
  const ca = read.text(auth, 'ca', 'auth.');
  const passphrase = read.text(auth, 'passphrase', 'auth.');
  const user = read.text(auth, 'user', 'auth.');
  const isPfx = read.text(auth, 'pfx', 'auth.') !== undefined;
  if (isPfx && (auth['cert'] ?? auth['key']) !== undefined) {
    throw read.wrong('auth.pfx', 'alone: it holds certificate and key, so cert and key are left out');
  }
  return {
    kind: 'mtls',
    certificate: {
      ...(isPfx ? { pfx: file('pfx') } : { cert: file('cert'), key: file('key') }),
      ...(ca !== undefined && { ca: resolve(folder, ca) }),
      passphrase,
    },
    ...(user !== undefined && { login: { user, password: read.needed(auth, 'password', 'auth.') } }),
  };
}
