import { setMaxListeners } from 'node:events';
import type { Agent } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { AgentOptions, TlsOptions } from './agent-options.ts';
import type { Proxy } from './choose-proxy.ts';
import { proxyConnectionError, refusedByProxy } from './proxy-failure.ts';

/**
 * Never aborted: a socket that is made with a signal always has a listener for errors. https-proxy-agent removes its own
 * when a proxy ends the connection during the TLS handshake, before the socket reports that as an error, which would end
 * the process.
 */
const { signal: listensForErrors } = new AbortController();
setMaxListeners(0, listensForErrors);

/**
 * Connections through a proxy: tunnels to HTTPS servers, with end-to-end client and server certificates; plain HTTP
 * requests are forwarded by the proxy.
 */
export function createProxyAgent(
  { isHttps, connections, connectTimeoutMs, tls }: AgentOptions,
  { url, authorization, strict }: Proxy,
): Agent {
  const options = {
    keepAlive: true,
    maxSockets: connections,
    scheduling: 'lifo' as const,
    // Options of the connection to the proxy.
    signal: listensForErrors,
    ...(!strict && { rejectUnauthorized: false }),
    ...(url.protocol === 'https:' && isIP(bareHost(url.hostname)) === 0 && { servername: url.hostname }),
    ...(authorization !== undefined && { headers: { 'Proxy-Authorization': authorization } }),
  };
  return isHttps
    ? new TunnelAgent(url, options, tls, connectTimeoutMs)
    : new PlainAgent(url, options, connectTimeoutMs);
}

/** Host and port of a forwarding proxy, which may respond itself; undefined for other agents. */
export function plainProxyOf(agent: Agent): string | undefined {
  return agent instanceof HttpProxyAgent ? agent.proxy.host : undefined;
}

/** A forwarding proxy for plain HTTP. */
class PlainAgent extends HttpProxyAgent<string> {
  readonly #timeoutMs: number;

  constructor(url: URL, options: ConstructorParameters<typeof HttpProxyAgent>[1], timeoutMs: number) {
    super(url.href, options);
    this.#timeoutMs = timeoutMs;
  }

  override async connect(...parameters: Parameters<HttpProxyAgent<string>['connect']>) {
    return inTime(super.connect(...parameters), this.#timeoutMs).catch((error: Error) => {
      throw proxyConnectionError(this.proxy.host, error);
    });
  }
}

/** A tunnel with the TLS settings of the target inside, and none of them for the proxy. */
class TunnelAgent extends HttpsProxyAgent<string> {
  readonly #target: TlsOptions;
  readonly #timeoutMs: number;

  constructor(
    url: URL,
    options: ConstructorParameters<typeof HttpsProxyAgent>[1],
    target: TlsOptions = {},
    timeoutMs: number,
  ) {
    super(url.href, options);
    this.#target = target;
    this.#timeoutMs = timeoutMs;
  }

  override async connect(...[request, options]: Parameters<HttpsProxyAgent<string>['connect']>) {
    let status: number | undefined;
    request.once('proxyConnect', (answer: { readonly statusCode: number }) => (status = answer.statusCode));
    const host = bareHost(options.host ?? '');
    const target = { ...options, ...this.#target, ...identityOf(host), rejectUnauthorized: true };
    const connecting = super.connect(request, target as typeof options);
    const socket = await inTime(connecting, this.#timeoutMs).catch((error: Error) => {
      throw status === undefined ? proxyConnectionError(this.proxy.host, error) : error;
    });
    if (status === 200) return socket;
    // Otherwise a response of the proxy would be taken for one of the server.
    socket.destroy();
    throw refusedByProxy(this.proxy.host, status ?? 0);
  }
}

/**
 * The expected certificate name of the target. IP addresses are not sent as server names, so without this a tunnelled
 * connection would be checked for "localhost".
 */
function identityOf(host: string): object {
  if (isIP(host) === 0) return {};
  return {
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
  };
}

/** URLs put IPv6 addresses in brackets. */
function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** Connecting to a proxy has the same timeout as connecting to a server. */
async function inTime<T extends Socket>(connecting: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      void connecting.then((socket) => socket.destroy()).catch(() => undefined);
      reject(Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' }));
    }, milliseconds);
  });
  return Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}
