import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { SourceError } from '../source-error.ts';
import { basicHeaders, fixedAuthorizer, type Authorizer } from './authorizer.ts';
import { tokenByBrowser } from './browser-login.ts';
import { chooseProxy, proxySecrets } from './choose-proxy.ts';
import { createHttpClient, type HttpClient, type HttpRequest } from './http-client.ts';
import { createProxyAgent } from './proxy-agent.ts';
import { storedLogin } from './stored-login.ts';
import { oauthAuthorizer, type OAuthSettings, type TokenEndpoint } from './oauth.ts';
import { rateLimit } from './rate-limit.ts';
import { readTlsFiles } from './tls-files.ts';
import { loginAddress } from './read-address.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import type { AgentOptions, TlsOptions } from './agent-options.ts';
import type { ConnectionSettings } from './client-settings.ts';

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
