import type { Agent } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { AgentOptions, TlsOptions } from './agent-options.ts';
import type { Proxy } from './choose-proxy.ts';
import { noWayToProxy, refusedByProxy } from './proxy-failure.ts';

/**
 * Connections through a proxy: tunnels to HTTPS servers, which see the client certificate and whose own is checked as
 * without one; requests for plain HTTP are handed to the proxy.
 */
export function createProxyAgent(
  { isHttps, connections, connectTimeoutMs, tls }: AgentOptions,
  { url, authorization, strict }: Proxy,
): Agent {
  const options = {
    keepAlive: true,
    maxSockets: connections,
    scheduling: 'lifo' as const,
    // These are for the connection to the proxy itself.
    ...(!strict && { rejectUnauthorized: false }),
    ...(url.protocol === 'https:' && isIP(bareHost(url.hostname)) === 0 && { servername: url.hostname }),
    ...(authorization !== undefined && { headers: { 'Proxy-Authorization': authorization } }),
  };
  return isHttps
    ? new TunnelAgent(url, options, tls, connectTimeoutMs)
    : new PlainAgent(url, options, connectTimeoutMs);
}

/** Host and port of the proxy that requests are handed to as they are, and which may answer them itself; undefined for other agents. */
export function plainProxyOf(agent: Agent): string | undefined {
  return agent instanceof HttpProxyAgent ? agent.proxy.host : undefined;
}

/** A proxy that requests are handed to as they are. */
class PlainAgent extends HttpProxyAgent<string> {
  readonly #timeoutMs: number;

  constructor(url: URL, options: ConstructorParameters<typeof HttpProxyAgent>[1], timeoutMs: number) {
    super(url.href, options);
    this.#timeoutMs = timeoutMs;
  }

  override async connect(...parameters: Parameters<HttpProxyAgent<string>['connect']>) {
    return inTime(super.connect(...parameters), this.#timeoutMs).catch((error: Error) => {
      throw noWayToProxy(this.proxy.host, error);
    });
  }
}

/** A tunnel whose far end gets the TLS settings of the target, and the proxy none of them. */
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
      throw status === undefined ? noWayToProxy(this.proxy.host, error) : error;
    });
    if (status === 200) return socket;
    // What the proxy says would be taken for the answer of the server.
    socket.destroy();
    throw refusedByProxy(this.proxy.host, status ?? 0);
  }
}

/**
 * Which name the certificate of the far end has to bear. Addresses are no names to ask a server for, so a connection through a
 * tunnel would be checked for "localhost" where one is all that is known of the server.
 */
function identityOf(host: string): object {
  if (isIP(host) === 0) return {};
  return {
    checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
  };
}

/** An IPv6 address has brackets in a URL, and none elsewhere. */
function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** A proxy that does not answer must not hold a request up for longer than a server that does not. */
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
