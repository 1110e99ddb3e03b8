import * as tls from 'node:tls';
import { readSettingFile } from '../read-setting-file.ts';
import { SourceError } from '../source-error.ts';
import type { TlsOptions } from './agent-options.ts';
import type { CertificateFiles } from './auth-settings.ts';

interface TrustSettings {
  /** Absolute path of a PEM file with additional authorities. */
  readonly ca?: string | undefined;
  readonly systemCertificates?: boolean | undefined;
}

/** Reads the TLS files; undefined without any. Rejects with `source-config` for an unusable file. */
export async function readTlsFiles(
  certificate: CertificateFiles | undefined,
  { ca, systemCertificates }: TrustSettings,
): Promise<TlsOptions | undefined> {
  const own = certificate ? await readCertificate(certificate) : {};
  const more = ca === undefined ? [] : [await readPem(ca, 'ca')];
  const system = systemCertificates ? systemAuthorities() : [];
  // The authority of a certificate login is trusted exclusively.
  if (certificate?.ca !== undefined) return { ...own, ca: [await readPem(certificate.ca, 'auth.ca'), ...more] };
  if (more.length + system.length === 0) return certificate && own;
  return { ...own, ca: [...tls.rootCertificates, ...system, ...more] };
}

async function readCertificate(files: CertificateFiles): Promise<TlsOptions> {
  const passphrase = files.passphrase === undefined ? {} : { passphrase: files.passphrase };
  if ('pfx' in files) return { pfx: await readBytes(files.pfx, 'auth.pfx'), ...passphrase };
  const [cert, key] = await Promise.all([readPem(files.cert, 'auth.cert'), readPem(files.key, 'auth.key')]);
  return { cert, key, ...passphrase };
}

/** Authorities of the operating system; unavailable in older versions of Node. */
function systemAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'system') => readonly string[] };
  return getCACertificates?.('system') ?? [];
}

async function readBytes(path: string, setting: string): Promise<Buffer> {
  return readSettingFile(path).catch((error: Error) => {
    throw new SourceError('source-config', `${path} cannot be read: ${error.message}.`, {
      file: path,
      remedy: `Correct ${setting} in the data sources file.`,
    });
  });
}

async function readPem(path: string, setting: string): Promise<string> {
  const text = (await readBytes(path, setting)).toString('utf8');
  if (text.includes('-----BEGIN ')) return text;
  throw new SourceError('source-config', `${path} is not a PEM file.`, {
    file: path,
    remedy: 'Convert it to PEM, for example with openssl; a PFX file is named as auth.pfx.',
  });
}
