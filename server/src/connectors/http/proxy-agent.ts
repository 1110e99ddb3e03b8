import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { AgentOptions, TlsOptions } from './agent.ts';
import type { Proxy } from './choose-proxy.ts';
import { proxyCodes } from './transport-failure.ts';

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
    ...(authorization !== undefined && { headers: { 'Proxy-Authorization': authorization } }),
  };
  return isHttps ? new TunnelAgent(url, options, tls, connectTimeoutMs) : new HttpProxyAgent(url, options);
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
    let status = 200;
    request.once('proxyConnect', (answer: { readonly statusCode: number }) => (status = answer.statusCode));
    const target = { ...options, ...this.#target, rejectUnauthorized: true };
    const socket = await inTime(super.connect(request, target as typeof options), this.#timeoutMs);
    if (status === 200) return socket;
    // What the proxy says would be taken for the answer of the server.
    socket.destroy();
    throw refusedByProxy(this.proxy.host, status);
  }
}

/** A proxy that does not answer must not hold a request up for longer than a server that does not. */
async function inTime(connecting: Promise<Socket>, milliseconds: number): Promise<Socket> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      void connecting.then((socket) => socket.destroy()).catch(() => undefined);
      reject(Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' }));
    }, milliseconds);
  });
  return Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}

/** The code is all that node-fetch lets through of an error, beside its text. */
function refusedByProxy(host: string, status: number): Error {
  return status === 407
    ? Object.assign(new Error(`The proxy ${host} wants a login`), { code: proxyCodes.login })
    : Object.assign(new Error(`The proxy ${host} does not connect to the data source (status ${status})`), {
        code: proxyCodes.refused,
      });
}
