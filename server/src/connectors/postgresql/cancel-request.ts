import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import type { TlsAttempt } from '../tls/tls-attempts.ts';

/** Identity of the server process of a session. */
export interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Asks the server on a separate connection to cancel the statement of a process; resolves when the request was sent.
 * Best effort, as the protocol has no response: never rejects.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
export async function sendCancelRequest(host: string, port: number, tls: TlsAttempt, key: BackendKey): Promise<void> {
  const plain = host.startsWith('/') ? connectPlain(`${host}/.s.PGSQL.${port}`) : connectPlain(port, host);
  plain.setTimeout(5_000, () => plain.destroy());
  try {
    await once(plain, 'connect');
    const socket = tls === false ? plain : await encrypt(plain, host, tls);
    const ended = once(socket, 'close');
    socket.end(cancelMessage(key));
    socket.resume();
    await ended;
  } catch {
    plain.destroy();
  }
}

async function encrypt(plain: Socket, host: string, tls: Exclude<TlsAttempt, false>): Promise<Socket> {
  plain.write(message(80877103));
  const [answer] = (await once(plain, 'data')) as [Buffer];
  if (answer.toString('latin1') !== 'S') throw new Error('The server does not support TLS.');
  const socket = connectTls({ ...tls, socket: plain, host, ...(isIP(host) === 0 && { servername: host }) });
  await once(socket, 'secureConnect');
  return socket;
}

function cancelMessage(key: BackendKey): Buffer {
  return message(80877102, key.processID, key.secretKey);
}

/** A message of 32-bit integers, preceded by its length. */
function message(...integers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * (integers.length + 1));
  [bytes.length, ...integers].forEach((integer, index) => bytes.writeInt32BE(integer, 4 * index));
  return bytes;
}
