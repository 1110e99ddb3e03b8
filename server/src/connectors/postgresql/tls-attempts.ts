import type { ConnectionOptions } from 'node:tls';
import { readSettingFile } from '../read-setting-file.ts';
import { SourceError } from '../source-error.ts';
import type { TlsSettings } from './config.ts';

/** One way to open the connection: TLS options of Node, or `false` for an unencrypted one. */
export type TlsAttempt = ConnectionOptions | false;

/**
 * What to try, in this order, for a mode of libpq: `allow` and `prefer` have two attempts, the others one.
 * Rejects with `source-config` when a file of the settings cannot be read.
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

async function readPem(setting: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return (await readSettingFile(path)).toString('utf8');
  } catch (cause) {
    throw new SourceError('source-config', `The file of ssl.${setting} cannot be read: ${path}.`, {
      remedy: `Correct ssl.${setting}: a path relative to the folder of the data sources file.`,
      file: path,
      cause,
    });
  }
}
