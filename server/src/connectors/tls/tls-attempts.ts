import type { ConnectionOptions } from 'node:tls';
import { readSettingFile } from '../read-setting-file.ts';
import { SourceError } from '../source-error.ts';
import type { TlsSettings } from './tls-settings.ts';

/** One connection attempt: TLS options of Node, or `false` for an unencrypted one. */
export type TlsAttempt = ConnectionOptions | false;

/**
 * The connection attempts of a libpq mode, in order: `allow` and `prefer` have two, the others one. Rejects with
 * `source-config` for an unreadable file.
 */
export async function tlsAttempts(tls: TlsSettings): Promise<readonly TlsAttempt[]> {
  if (tls.mode === 'disable') return [false];
  const [ca, cert, key] = await Promise.all([
    readPem('ca', tls.ca),
    readPem('cert', tls.cert),
    readPem('key', tls.key),
  ]);
  const files: ConnectionOptions = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  const unverified: ConnectionOptions = { ...files, rejectUnauthorized: false };
  switch (tls.mode) {
    case 'allow':
      return [false, unverified];
    case 'prefer':
      return [unverified, false];
    case 'require':
      return [unverified];
    case 'verify-ca':
      return [{ ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined }];
    case 'verify-full':
      return [{ ...files, rejectUnauthorized: true }];
  }
}

/**
 * Tries attempts in order while failures are about encryption. Rejects with the last failure, as explained by
 * `explain`, or with the signal's reason.
 */
export async function connectInTurn<T>(
  attempts: readonly TlsAttempt[],
  connect: (attempt: TlsAttempt) => Promise<T>,
  { isAboutEncryption, explain, signal }: ConnectOptions,
): Promise<T> {
  for (const [index, attempt] of attempts.entries()) {
    signal?.throwIfAborted();
    try {
      return await connect(attempt);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const isLast = index === attempts.length - 1;
      if (isLast || !isAboutEncryption(error)) throw explain(error);
    }
  }
  throw new Error('A TLS mode has at least one attempt.');
}

interface ConnectOptions {
  /** Whether the other kind of connection, encrypted or not, may succeed. */
  readonly isAboutEncryption: (error: unknown) => boolean;
  readonly explain: (error: unknown) => Error;
  readonly signal: AbortSignal | undefined;
}

async function readPem(setting: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return (await readSettingFile(path)).toString('utf8');
  } catch (cause) {
    throw new SourceError('source-config', `The file of ssl.${setting} cannot be read.`, {
      remedy: `Correct ssl.${setting}: a path relative to the folder of the data sources file.`,
      cause,
    });
  }
}
