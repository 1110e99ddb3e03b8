import { createHash } from 'node:crypto';
import { readSettingFile } from './read-setting-file.ts';

/**
 * Names the authorities of a PEM file by what is in it, as another file makes another server trusted; undefined without a file. A file that
 * cannot be read says so: the connection fails by it.
 */
export async function trustText(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const content = await readSettingFile(file).catch(() => undefined);
  const fingerprint = content && createHash('sha256').update(content).digest('hex').slice(0, 16);
  return `trusting the authorities ${fingerprint ?? 'of a file that cannot be read'}`;
}
