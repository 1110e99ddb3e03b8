import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export interface DelayedProxy {
  readonly port: number;
  /** Passes on what a held proxy has received, and all that follows. */
  release(): void;
  close(): Promise<void>;
}

/**
 * A TCP proxy that passes each chunk on after a delay, in both directions, like a distant server. Held, it passes nothing
 * on until it is released.
 */
export async function startDelayedProxy(
  target: { readonly host: string; readonly port: number },
  delayMs: number,
  { isHeld = false } = {},
): Promise<DelayedProxy> {
  const sockets = new Set<Socket>();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
    if (!isHeld) resolve();
  });
  const server = createServer((client) => {
    const far = connect(target.port, target.host);
    for (const socket of [client, far]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    passLate(client, far, delayMs, released);
    passLate(far, client, delayMs, released);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    release: () => release(),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function passLate(from: Socket, to: Socket, delayMs: number, released: Promise<void>): void {
  const later = (work: () => void): void => void released.then(() => setTimeout(() => to.destroyed || work(), delayMs));
  from.on('data', (chunk: Buffer) => later(() => to.write(chunk)));
  from.on('end', () => later(() => to.end()));
  from.on('close', () => later(() => to.destroy()));
}
