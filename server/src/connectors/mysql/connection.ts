import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { createConnection, type Connection, type ConnectionOptions } from 'mysql2';
import { type SourceError, errorOfSource } from '../source-error.ts';
import { namingServer } from '../database-server/identify-server.ts';
import { type TlsAttempt, connectInTurn, tlsAttempts } from '../tls/tls-attempts.ts';
import type { MysqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { readDriverError } from './driver-error.ts';

/** A connected client of the driver. */
export interface OpenClient {
  readonly client: Connection;
  /** The error that closed the connection, if any. */
  readonly lost: () => unknown;
}

/** Connects as the TLS mode allows. Rejects with a `SourceError`, or with the signal's reason. */
export async function openClient(
  config: MysqlConfig,
  explain: ExplainError,
  signal: AbortSignal | undefined,
): Promise<OpenClient> {
  const { mode } = config.tls;
  if (mode === 'verify-full' && isIP(config.host) > 0) throw needsName(config);
  // Encryption has no part in a Unix socket.
  const attempts = config.host.startsWith('/') ? [false as const] : await tlsAttempts(config.tls);
  return connectInTurn(attempts, (tls) => connect(config, tls, signal), {
    isAboutEncryption,
    signal,
    explain: (error) => explain(error, { connecting: true }),
  }).catch(async (error: unknown) => {
    throw await namingServer(error, config, 'mysql', signal);
  });
}

async function connect(config: MysqlConfig, tls: TlsAttempt, signal: AbortSignal | undefined): Promise<OpenClient> {
  const client = createConnection(optionsOf(config, tls));
  let lost: unknown;
  // Without a listener, an error between two statements would end the process.
  client.on('error', (error) => (lost ??= error));
  const abandon = (): void => cutConnection(client);
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      client.connect((error) => (error ? reject(error) : resolve()));
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return { client, lost: () => lost };
  } catch (error) {
    abandon();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abandon);
  }
}

/** Closes the socket at once, which rejects the running query. The driver's `destroy` would continue to receive rows. */
export function cutConnection(client: Connection): void {
  socketOf(client).destroy();
}

/** The socket of a connection, which the types of the driver do not have. */
export function socketOf(client: Connection): Duplex {
  return (client as unknown as { readonly stream: Duplex }).stream;
}

function optionsOf(config: MysqlConfig, tls: TlsAttempt): ConnectionOptions {
  const { host, port, user, password, databases, connectTimeoutMs } = config;
  const [database] = databases;
  return {
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    user,
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(tls !== false && { ssl: sslOptions(tls, config) }),
    connectTimeout: connectTimeoutMs,
    charset: 'utf8mb4',
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    // The server must not ask for files of this machine.
    flags: ['-LOCAL_FILES'],
    // Values as the server sends them: no rounding, no zone of this machine.
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    connectAttributes: { program_name: 'entity-graph' },
  };
}

function sslOptions(
  { ca, cert, key, rejectUnauthorized }: Exclude<TlsAttempt, false>,
  { tls: { mode } }: MysqlConfig,
): NonNullable<Exclude<ConnectionOptions['ssl'], string>> {
  return {
    ...(typeof ca === 'string' && { ca }),
    ...(typeof cert === 'string' && { cert }),
    ...(typeof key === 'string' && { key }),
    rejectUnauthorized: rejectUnauthorized ?? true,
    verifyIdentity: mode === 'verify-full',
  };
}

function needsName({ name, host }: MysqlConfig): SourceError {
  return errorOfSource(
    name,
    'source-config',
    `ssl.mode verify-full compares the certificate with the name of the server, and host is the address ${host}.`,
    { remedy: 'Set host to the name in the certificate, or ssl.mode to verify-ca.' },
  );
}

/** Whether the other kind of connection, encrypted or not, is tried next, as `allow` and `prefer` say. */
function isAboutEncryption(error: unknown): boolean {
  const { code = '', number, message } = readDriverError(error);
  return (
    code === 'HANDSHAKE_NO_SSL_SUPPORT' ||
    code === 'HANDSHAKE_SSL_ERROR' ||
    number === 3159 ||
    /^ERR_(TLS|SSL|OSSL)|^EPROTO$/.test(code) ||
    /insecure transport|does not support secure/i.test(message)
  );
}
