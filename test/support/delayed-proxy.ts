import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export interface DelayedProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** A TCP proxy that passes each chunk on after a delay, in both directions, like a distant server. */
export async function startDelayedProxy(
  target: { readonly host: string; readonly port: number },
  delayMs: number,
): Promise<DelayedProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const far = connect(target.port, target.host);
    for (const socket of [client, far]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    passLate(client, far, delayMs);
    passLate(far, client, delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function passLate(from: Socket, to: Socket, delayMs: number): void {
  const later = (work: () => void): void => void setTimeout(() => to.destroyed || work(), delayMs);
  from.on('data', (chunk: Buffer) => later(() => to.write(chunk)));
  from.on('end', () => later(() => to.end()));
  from.on('close', () => later(() => to.destroy()));
}
