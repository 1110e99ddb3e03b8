import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import * as tls from 'node:tls';
import { createSecureContext } from 'node:tls';
import { SourceError } from '../source-error.ts';
import { type Authorizer, basicHeaders, fixedAuthorizer } from './authorizer.ts';
import { tokenByBrowser } from './browser-login.ts';
import { chooseProxy, proxySecrets } from './choose-proxy.ts';
import { type HttpClient, type HttpRequest, type HttpResponse, createHttpClient } from './http-client.ts';
import { createProxyAgent } from './proxy-agent.ts';
import { storedLogin } from './stored-login.ts';
import { type OAuthSettings, type TokenEndpoint, oauthAuthorizer } from './oauth.ts';
import { rateLimit } from './rate-limit.ts';
import { loginAddress } from './read-address.ts';
import type { AgentOptions, TlsOptions } from './agent-options.ts';
import type { ConnectionSettings } from './client-settings.ts';
import { readSettingFile } from '../read-setting-file.ts';
import type { CertificateFiles } from './auth-settings.ts';
import { TransientFailure, retryAfterMs, serverTime } from './transient-failure.ts';
import { unavailableStatuses } from './unavailable-statuses.ts';
import { type RetryPolicy, withRetries } from './with-retries.ts';

/** A client with the configured login. Rejects with `source-config` for an unusable certificate or proxy. */
export async function openHttpClient(settings: ConnectionSettings): Promise<HttpClient> {
  const { auth, baseUrl, peer, requestTimeoutMs } = settings;
  const openAgent = await agentMaker(settings);
  const agent = openAgent(baseUrl, settings.connections);
  const pace = rateLimit(settings.pace ?? { delayMs: 0 }, peer);
  const authorizer = authorizerOf(settings, (url) => openAgent(url, 1));
  const client = createHttpClient({ baseUrl, peer, authorizer, agent, requestTimeoutMs, pace });
  return auth.kind === 'apiKey' && 'parameter' in auth ? withQueryKey(client, auth.parameter, auth.token) : client;
}

/** The token endpoint of a login. Rejects like `openHttpClient`. */
export async function openTokenEndpoint(settings: ConnectionSettings): Promise<TokenEndpoint> {
  const openAgent = await agentMaker(settings);
  return tokenEndpointOf(settings, (url) => openAgent(url, 1));
}

/**
 * Host and port of the proxy of the data's address; undefined without one. Throws `source-config` for an invalid
 * address.
 */
export function proxyHost({ baseUrl, proxy, httpContext }: ConnectionSettings): string | undefined {
  const { network, environment = {} } = httpContext ?? {};
  return chooseProxy(baseUrl, { source: proxy, network, environment })?.url.host;
}

async function agentMaker(settings: ConnectionSettings): Promise<(url: URL, connections: number) => Agent> {
  const { auth, ca, connectTimeoutMs, httpContext = { environment: {} }, onSecret } = settings;
  const { network, environment } = httpContext;
  const trust = { ca, systemCertificates: network?.systemCertificates };
  const tls = await readTlsFiles(auth.kind === 'mtls' ? auth.certificate : undefined, trust);
  checkCertificate(tls);
  return (url, connections) => {
    const proxy = chooseProxy(url, { source: settings.proxy, network, environment });
    if (proxy) for (const secret of proxySecrets(proxy)) onSecret(secret);
    const isHttps = url.protocol === 'https:';
    return createAgent({ isHttps, connections, connectTimeoutMs, proxy, tls });
  };
}

/** Checked beforehand: an agent would report it at its first connection only. */
function checkCertificate(tls: TlsOptions | undefined): void {
  try {
    if (tls) createSecureContext({ ...tls, ca: tls.ca === undefined ? undefined : [...tls.ca] });
  } catch (error) {
    throw new SourceError('tls-failed', `The client certificate cannot be used: ${(error as Error).message}.`, {
      remedy: 'Check that certificate, key and passphrase belong together.',
    });
  }
}

function authorizerOf(settings: ConnectionSettings, openAgent: (url: URL) => Agent): Authorizer {
  const { auth, onSecret } = settings;
  switch (auth.kind) {
    case 'none':
      return fixedAuthorizer({});
    case 'basic':
      return fixedAuthorizer(basicHeaders(auth.user, auth.password));
    case 'bearer':
      return fixedAuthorizer({ Authorization: `Bearer ${auth.token}` });
    case 'apiKey':
      return fixedAuthorizer('header' in auth ? { [auth.header]: auth.token } : {});
    case 'mtls':
      return fixedAuthorizer(auth.login ? basicHeaders(auth.login.user, auth.login.password) : {});
    case 'oauth2': {
      const stored = storedLogin(settings);
      const endpoint = tokenEndpointOf(settings, openAgent);
      const { authorize } = settings.httpContext ?? {};
      const logIn = authorize && (() => tokenByBrowser(endpoint, loginPage(settings, auth.oauth), authorize));
      return oauthAuthorizer(endpoint, { onSecret, stored, logIn });
    }
  }
}

/** Authorization endpoint. Throws `source-config` for an invalid address. */
export function loginPage({ baseUrl, authorizationPath }: ConnectionSettings, oauth: OAuthSettings): URL {
  return loginAddress(baseUrl, 'auth.authorizationUrl', oauth.authorizationUrl, authorizationPath);
}

function tokenEndpointOf(settings: ConnectionSettings, openAgent: (url: URL) => Agent): TokenEndpoint {
  const { auth, baseUrl, peer, tokenPath, requestTimeoutMs, retryPolicy } = settings;
  if (auth.kind !== 'oauth2') throw new SourceError('source-config', `${peer} is not logged in to by OAuth 2.0.`);
  const url = loginAddress(baseUrl, 'auth.tokenUrl', auth.tokenUrl, tokenPath);
  return createTokenEndpoint({ settings: auth.oauth, url, peer, openAgent, requestTimeoutMs, retryPolicy });
}

/** A client that adds a key as query parameter. It is added last, so that messages and pages do not contain it. */
function withQueryKey(client: HttpClient, parameter: string, token: string): HttpClient {
  const keyed = (request: HttpRequest): HttpRequest => {
    const url = new URL(request.url.href);
    url.searchParams.set(parameter, token);
    return { ...request, url };
  };
  return { ...client, send: (request) => client.send(keyed(request)), open: (request) => client.open(keyed(request)) };
}

/** An agent with keep-alive and an optional client certificate. Connecting times out with ETIMEDOUT. */
function createAgent(options: AgentOptions): Agent {
  const { isHttps, connections, connectTimeoutMs, tls, proxy } = options;
  if (proxy) return createProxyAgent(options, proxy);
  const shared = { keepAlive: true, maxSockets: connections, scheduling: 'lifo' as const };
  const { ca, ...certificate } = tls ?? {};
  const trusted = ca === undefined ? {} : { ca: [...ca] };
  const agent = isHttps ? new HttpsAgent({ ...shared, ...certificate, ...trusted }) : new Agent(shared);
  const limited = agent as unknown as { createConnection: (...parameters: unknown[]) => Socket };
  const connect = limited.createConnection.bind(agent);
  limited.createConnection = (...parameters) => {
    const socket = connect(...parameters);
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' }));
    }, connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once(isHttps ? 'secureConnect' : 'connect', stop).once('close', stop);
    return socket;
  };
  return agent;
}

interface TrustSettings {
  /** Absolute path of a PEM file with additional authorities. */
  readonly ca?: string | undefined;
  readonly systemCertificates?: boolean | undefined;
}

/** Reads the TLS files; undefined without any. Rejects with `source-config` for an unusable file. */
async function readTlsFiles(
  certificate: CertificateFiles | undefined,
  { ca, systemCertificates }: TrustSettings,
): Promise<TlsOptions | undefined> {
  const own = certificate ? await readCertificate(certificate) : {};
  const more = ca === undefined ? [] : [await readPem(ca, 'ca')];
  const system = systemCertificates ? systemAuthorities() : [];
  // The authority of a certificate login is trusted exclusively.
  if (certificate?.ca !== undefined) return { ...own, ca: [await readPem(certificate.ca, 'auth.ca'), ...more] };
  if (more.length + system.length === 0) return certificate && own;
  return { ...own, ca: [...tls.rootCertificates, ...system, ...more] };
}

async function readCertificate(files: CertificateFiles): Promise<TlsOptions> {
  const passphrase = files.passphrase === undefined ? {} : { passphrase: files.passphrase };
  if ('pfx' in files) return { pfx: await readBytes(files.pfx, 'auth.pfx'), ...passphrase };
  const [cert, key] = await Promise.all([readPem(files.cert, 'auth.cert'), readPem(files.key, 'auth.key')]);
  return { cert, key, ...passphrase };
}

/** Authorities of the operating system; unavailable in older versions of Node. */
function systemAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'system') => readonly string[] };
  return getCACertificates?.('system') ?? [];
}

async function readBytes(path: string, setting: string): Promise<Buffer> {
  return readSettingFile(path).catch((error: Error) => {
    throw new SourceError('source-config', `The file of ${setting} cannot be read${reasonOf(error)}.`, {
      remedy: `Correct ${setting}: a path relative to the folder of the data sources file.`,
    });
  });
}

/** Without the path, which may be the content of a key, given in place of its file. */
function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT' ? ': it is not there' : error.path === undefined ? `: ${error.message}` : '';
}

async function readPem(path: string, setting: string): Promise<string> {
  const text = (await readBytes(path, setting)).toString('utf8');
  if (text.includes('-----BEGIN ')) return text;
  throw new SourceError('source-config', `${path} is not a PEM file.`, {
    file: path,
    remedy: 'Convert it to PEM, for example with openssl; a PFX file is named as auth.pfx.',
  });
}

interface TokenEndpointSettings {
  readonly settings: OAuthSettings;
  readonly url: URL;
  readonly peer: string;
  /** Creates the agent for an address, which may be another host than that of the data. */
  readonly openAgent: (url: URL) => Agent;
  readonly requestTimeoutMs: number;
  readonly retryPolicy: RetryPolicy;
}

/** The token endpoint is called without authentication, on a connection closed after each response. */
function createTokenEndpoint(options: TokenEndpointSettings): TokenEndpoint {
  const { settings, url, peer, requestTimeoutMs, retryPolicy } = options;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' };
  return {
    settings,
    peer,
    postForm(form, more) {
      const agent = options.openAgent(url);
      const client = createHttpClient({ baseUrl: url, peer, authorizer: fixedAuthorizer({}), agent, requestTimeoutMs });
      return withRetries(
        async () => {
          const answer = await client.send({
            method: 'POST',
            url,
            headers: { ...headers, ...more },
            body: form.toString(),
          });
          if (answer.status === 429 || unavailableStatuses.includes(answer.status)) throw busy(peer, answer);
          return answer;
        },
        // A code is good once: sent again after it was used, it may end the login that it began (RFC 6749, section 4.1.2).
        { policy: retryPolicy, idempotent: form.get('grant_type') !== 'authorization_code' },
      ).finally(() => client.close());
    },
  };
}

function busy(peer: string, { status, headers }: HttpResponse): TransientFailure {
  const wait = retryAfterMs(headers.get('retry-after'), serverTime(headers));
  return new TransientFailure('source-failed', `${peer} gives no tokens at the moment (status ${status}).`, {
    // Requests with status 429 (too many) or 425 (too early) were not processed. Gateways send the other statuses for
    // requests that may have arrived.
    mayHaveRun: status !== 429 && status !== 425,
    retryAfterMs: wait,
  });
}
