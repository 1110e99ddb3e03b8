import pg from 'pg';
import { sendCancelRequest, type BackendKey } from './cancel-request.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { readDriverError } from './driver-error.ts';
import { namingServer } from '../database-server/identify-server.ts';
import { type TlsAttempt, connectInTurn, tlsAttempts } from '../tls/tls-attempts.ts';

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
