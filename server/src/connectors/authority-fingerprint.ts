import { createHash } from 'node:crypto';
import { readSettingFile } from './read-setting-file.ts';

/**
 * Identifies the authorities of a PEM file by its content, because another file makes another server trusted; undefined
 * without a file. An unreadable file is described as such; the connection will fail.
 */
export async function authorityFingerprint(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const content = await readSettingFile(file).catch(() => undefined);
  const fingerprint = content && createHash('sha256').update(content).digest('hex').slice(0, 16);
  return `trusting the authorities ${fingerprint ?? 'of a file that cannot be read'}`;
}
