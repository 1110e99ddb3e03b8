import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A REST service on this machine. */
export interface Host {
  readonly origin: string;
  /** The keys that the service received, one per request. */
  readonly keys: (string | undefined)[];
  close(): Promise<void>;
}

export async function startHost(): Promise<Host> {
  const keys: (string | undefined)[] = [];
  const server: Server = createServer((request, response) => {
    keys.push(request.headers['x-api-key'] as string | undefined);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"id":1,"at":"2024-05-01T10:00:00Z"}]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
