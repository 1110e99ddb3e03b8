import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A statement on its way to the coordinator. */
export interface PassingTrinoStatement {
  readonly sql: string;
  readonly headers: IncomingHttpHeaders;
}

export interface TrinoProxy {
  readonly port: number;
  /** Called before a statement is sent on, which waits; where it rejects, the connection is cut instead. */
  onStatement: (statement: PassingTrinoStatement) => Promise<void>;
  close(): Promise<void>;
}

/** A proxy before a coordinator without TLS that sees each statement. */
export async function startTrinoProxy(target: { readonly host: string; readonly port: number }): Promise<TrinoProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const sql = body.toString();
      const passes = method === 'POST' ? proxy.onStatement({ sql, headers }) : Promise.resolve();
      passes.then(
        () => {
          const { host, port } = target;
          const far = request({ host, port, method, path, headers: { ...headers, host: `${host}:${port}` } });
          far.on('response', (answer) => {
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(outgoing);
          });
          far.on('error', () => outgoing.destroy());
          outgoing.on('close', () => far.destroy());
          far.end(body);
        },
        () => outgoing.destroy(),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TrinoProxy = {
    port: (server.address() as AddressInfo).port,
    onStatement: async () => undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
