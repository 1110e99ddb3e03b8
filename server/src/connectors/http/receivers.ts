import { type Receiver, fileReceiver } from '../receiver.ts';
import type { SettingReceivers } from '../source-settings.ts';
import { authorityFingerprint } from '../authority-fingerprint.ts';
import type { AuthSettings } from './auth-settings.ts';
import { configuredProxyUrl } from './choose-proxy.ts';
import type { ConnectionConfig } from './connection-settings.ts';
import { loginAddress } from './read-address.ts';

/** HTTP settings that are complete addresses. */
export const httpAddresses = ['proxy', 'auth.tokenUrl', 'auth.authorizationUrl'];

interface HttpDestination {
  readonly kind: string;
  readonly baseUrl: URL;
  readonly config: ConnectionConfig;
  /** Default token and authorization endpoints: paths below the base address. */
  readonly tokenPath?: string;
  readonly authorizationPath?: string;
  /** The file of an OpenAPI document. */
  readonly openApiFile?: string | undefined;
}

/**
 * Requests and logins go to the configured host; token credentials also to the token endpoint; values in a proxy
 * address to the proxy. A proxy of the settings can read unencrypted traffic.
 */
export async function httpReceivers(destination: HttpDestination): Promise<SettingReceivers> {
  const { kind, baseUrl, config } = destination;
  const { auth } = config;
  const proxyAddress = configuredProxyUrl(config.proxy);
  const proxy = proxyAddress?.origin;
  const trust = await trustOf(config);
  const user = userOf(auth);
  const at = (origin: string): Receiver => ({
    kind,
    origin,
    user,
    tls: [tlsOf(origin), ...trust, ...through(proxy)].join(', '),
  });
  const host = at(baseUrl.origin);
  const proxyReceiver: readonly Receiver[] =
    proxy === undefined
      ? []
      : [{ kind, origin: proxy, user: proxyAddress?.username ?? '', tls: [tlsOf(proxy), ...trust].join(', ') }];
  const login = auth.kind === 'oauth2' ? loginHosts(destination, auth) : undefined;
  const files = filesOf(destination);
  const plainly = (receivers: readonly Receiver[]): readonly Receiver[] =>
    receivers.some(({ origin }) => origin.startsWith('http:')) ? [...receivers, ...proxyReceiver] : receivers;
  return {
    of(path) {
      const file = files[path];
      if (file !== undefined) return [fileReceiver(kind, file)];
      if (path === 'proxy') return proxyReceiver;
      // The proxy learns the host of each address.
      if (path === 'instanceUrl' || path === 'baseUrl') return [host, ...proxyReceiver];
      if (!login || !path.startsWith('auth.')) return plainly([host]);
      if (path === 'auth.tokenUrl') return [at(login.token), ...proxyReceiver];
      if (path === 'auth.authorizationUrl') return [at(login.page ?? login.token)];
      // For its host, a token is equivalent to its credentials.
      const isOnPage = login.page !== undefined && /^auth\.(?:clientId|scope|redirectUri)$/.test(path);
      return plainly(distinct([host, at(login.token), ...(isOnPage ? [at(login.page)] : [])]));
    },
    login:
      login?.page !== undefined && login.token !== baseUrl.origin ? { givenBy: login.token, sentTo: host } : undefined,
  };
}

interface LoginHosts {
  readonly token: string;
  /** The authorization endpoint of browser logins. */
  readonly page?: string;
}

/** Invalid addresses are reported when used. */
function loginHosts(
  { baseUrl, tokenPath, authorizationPath }: HttpDestination,
  { oauth, tokenUrl }: Extract<AuthSettings, { kind: 'oauth2' }>,
): LoginHosts {
  const token = loginAddress(baseUrl, 'auth.tokenUrl', tokenUrl, tokenPath).origin;
  if (oauth.grant !== 'authorization_code') return { token };
  return {
    token,
    page: loginAddress(baseUrl, 'auth.authorizationUrl', oauth.authorizationUrl, authorizationPath).origin,
  };
}

function filesOf({ config: { auth, ca }, openApiFile }: HttpDestination): Readonly<Record<string, string | undefined>> {
  const certificate = auth.kind === 'mtls' ? auth.certificate : undefined;
  return {
    ca,
    openapi: openApiFile,
    'auth.ca': certificate?.ca,
    ...(auth.kind === 'oauth2' && { 'auth.key': auth.oauth.jwt?.keyFile }),
    ...(certificate && 'pfx' in certificate && { 'auth.pfx': certificate.pfx }),
    ...(certificate && 'cert' in certificate && { 'auth.cert': certificate.cert, 'auth.key': certificate.key }),
  };
}

async function trustOf({ auth, ca }: ConnectionConfig): Promise<readonly string[]> {
  const own = auth.kind === 'mtls' ? auth.certificate.ca : undefined;
  return (await Promise.all([authorityFingerprint(ca), authorityFingerprint(own)])).filter(
    (text) => text !== undefined,
  );
}

function userOf(auth: AuthSettings): string {
  switch (auth.kind) {
    case 'none':
    case 'bearer':
    case 'apiKey':
      return '';
    case 'basic':
      return auth.user;
    case 'mtls':
      return auth.login?.user ?? '';
    case 'oauth2':
      return auth.oauth.user ?? auth.oauth.jwt?.subject ?? auth.oauth.clientId;
  }
}

function tlsOf(origin: string): string {
  return origin.startsWith('https:') ? 'TLS' : 'no encryption';
}

function through(proxy: string | undefined): readonly string[] {
  return proxy === undefined ? [] : [`through ${proxy}`];
}

function distinct(receivers: readonly Receiver[]): readonly Receiver[] {
  return [...new Map(receivers.map((receiver) => [receiver.origin, receiver])).values()];
}
