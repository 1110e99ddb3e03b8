import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ProxyServer {
  readonly url: string;
  /** Requested connections and addresses. */
  readonly asked: string[];
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Required `user:password`. */
  readonly login?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Answers plain requests itself with JSON, for hosts that do not exist. */
  readonly respond?: (url: string) => unknown;
  /** Rejects plain requests with this status and headers, as proxies do for unreachable hosts. */
  readonly refuse?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** A forward proxy on a free port of this machine: CONNECT tunnels, and requests with absolute URLs. */
export async function startProxy({ login, tls, respond, refuse }: ProxyOptions = {}): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = tls ? createTlsServer(tls) : createServer();
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const isWelcome = ({ headers }: IncomingMessage): boolean =>
    wanted === undefined || headers['proxy-authorization'] === wanted;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  server.on('connection', keep);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    if (!isWelcome(request)) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const [host, port] = (request.url ?? '').split(':');
    const far = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    keep(far);
    return undefined;
  });
  server.on('request', (incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (!isWelcome(incoming)) return response.writeHead(407, { 'Proxy-Authenticate': 'Basic' }).end();
    if (refuse) return response.writeHead(refuse.status, refuse.headers).end('<html>No route</html>');
    if (respond) {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      return response.end(JSON.stringify(respond(incoming.url ?? '')));
    }
    const far = httpRequest(incoming.url ?? '', { method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return incoming.pipe(far);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${login === undefined ? '' : `${login}@`}localhost:${port}`,
    asked,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
