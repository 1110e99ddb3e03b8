import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, createServer, request } from 'node:http';
import { request as encryptedRequest } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Thrown by a hook of a proxy, which then answers the request in place of the coordinator. */
export class AnsweredInstead extends Error {
  constructor(readonly status: number) {
    super(`Answered with status ${status}.`);
  }
}

/** A statement on its way to the coordinator. */
export interface PassingTrinoStatement {
  readonly sql: string;
  readonly headers: IncomingHttpHeaders;
}

export interface TrinoProxy {
  readonly port: number;
  /** Called before a statement is sent on, which waits; where it rejects, the connection is cut instead. */
  onStatement: (statement: PassingTrinoStatement) => Promise<void>;
  /** The same for requests that ask for the next page of a statement, or end it. */
  onPage: () => Promise<void>;
  /** Sent in place of the header `Authorization` of requests. */
  login: string | undefined;
  close(): Promise<void>;
}

/**
 * A proxy before a coordinator that sees each statement. It speaks HTTP without TLS itself.
 * @param authority path of the certificate of the authority, where the port of the coordinator is one of HTTPS
 */
export async function startTrinoProxy(
  { host, port }: { readonly host: string; readonly port: number },
  authority?: string,
): Promise<TrinoProxy> {
  const ca = authority === undefined ? undefined : readFileSync(authority, 'utf8');
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const sql = body.toString();
      const passes = method === 'POST' ? proxy.onStatement({ sql, headers }) : proxy.onPage();
      passes.then(
        () => {
          const login = proxy.login === undefined ? {} : { authorization: proxy.login };
          const options = { host, port, method, path, headers: { ...headers, ...login, host: `${host}:${port}` } };
          const far = ca === undefined ? request(options) : encryptedRequest({ ...options, ca });
          far.on('response', (answer) => {
            outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(outgoing);
          });
          far.on('error', () => outgoing.destroy());
          outgoing.on('close', () => far.destroy());
          far.end(body);
        },
        (reason: unknown) => {
          if (reason instanceof AnsweredInstead) outgoing.writeHead(reason.status).end();
          else outgoing.destroy();
        },
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TrinoProxy = {
    port: (server.address() as AddressInfo).port,
    onStatement: async () => undefined,
    onPage: async () => undefined,
    login: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
