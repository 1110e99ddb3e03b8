import pg from 'pg';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { readDriverError } from './driver-error.ts';
import { namingServer } from '../database-server/identify-server.ts';
import { type TlsAttempt, connectInTurn, tlsAttempts } from '../tls/tls-attempts.ts';
import { type Socket, connect as connectPlain, isIP } from 'node:net';
import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';

/** A connected client of the driver. */
export interface OpenClient {
  readonly client: pg.Client;
  /** Asks the server to cancel the running statement. Never rejects. */
  readonly cancel: () => Promise<void>;
  /** The error that closed the connection, if any. */
  readonly lost: () => unknown;
}

/** Connects as the TLS mode allows. Rejects with a `SourceError`, or with the signal's reason. */
export async function openClient(
  config: PostgresqlConfig,
  explain: ExplainError,
  signal: AbortSignal | undefined,
): Promise<OpenClient> {
  const attempts = await tlsAttempts(config.tls);
  return connectInTurn(attempts, (tls) => connect(config, tls, signal), {
    isAboutEncryption,
    signal,
    explain: (error) => explain(error, { connecting: true }),
  }).catch(async (error: unknown) => {
    throw await namingServer(error, config, 'postgresql', signal);
  });
}

async function connect(
  config: PostgresqlConfig,
  tls: TlsAttempt,
  signal: AbortSignal | undefined,
): Promise<OpenClient> {
  const client = new pg.Client({
    host: config.host,
    port: config.port,
    database: config.database,
    user: config.user,
    ...(config.password !== undefined && { password: config.password }),
    ssl: tls,
    application_name: 'entity-graph',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: config.connectTimeoutMs,
  });
  let lost: unknown;
  // Without a listener, an error between two statements would end the process.
  client.on('error', (error) => (lost ??= error));
  const abandon = (): void => void client.connection.stream.destroy();
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    await client.connect();
    const cancel = (): Promise<void> =>
      sendCancelRequest(config.host, config.port, tls, client as unknown as BackendKey);
    return { client, cancel, lost: () => lost };
  } catch (error) {
    abandon();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
}

/** Whether the other kind of connection, encrypted or not, is tried next, by libpq's rules for `allow` and `prefer`. */
function isAboutEncryption(error: unknown): boolean {
  const { code = '', message } = readDriverError(error);
  return (
    code === '28000' ||
    /^ERR_(TLS|SSL|OSSL)|^EPROTO$/.test(code) ||
    /does not support SSL|establishing an SSL/.test(message)
  );
}

/** Identity of the server process of a session. */
interface BackendKey {
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Asks the server on a separate connection to cancel the statement of a process; resolves when the request was sent.
 * Best effort, as the protocol has no response: never rejects.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS
 */
async function sendCancelRequest(host: string, port: number, tls: TlsAttempt, key: BackendKey): Promise<void> {
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
