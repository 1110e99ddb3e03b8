import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

export interface TestCertificates {
  /** Path of the authority's certificate. */
  readonly authority: string;
  /** PEM texts of a server certificate for one host name or address, issued by that authority. */
  readonly certificate: string;
  readonly key: string;
}

/** Creates `client.pem`, a client certificate issued by the authority of the folder, and its key `client.key`. */
export function makeClientCertificate(folder: string, { passphrase }: { readonly passphrase: string }): void {
  const at = (name: string): string => join(folder, name);
  const openssl = (...parameters: readonly string[]): unknown => execFileSync('openssl', parameters, { stdio: 'pipe' });
  const key = ['-newkey', 'rsa:2048', '-passout', `pass:${passphrase}`, '-keyout', at('client.key')];
  openssl('req', ...key, '-out', at('client.csr'), '-subj', '/CN=client');
  const issuer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
  openssl('x509', '-req', '-in', at('client.csr'), ...issuer, '-out', at('client.pem'), '-days', '2');
}

/** Creates an authority and a server certificate in `folder` with `openssl`. */
export function makeCertificates(folder: string, hostName: string): TestCertificates {
  const at = (name: string): string => join(folder, name);
  const openssl = (...parameters: readonly string[]): unknown => execFileSync('openssl', parameters, { stdio: 'pipe' });
  const newKey = (name: string): readonly string[] => ['-newkey', 'rsa:2048', '-nodes', '-keyout', at(name)];
  openssl('req', '-x509', ...newKey('ca.key'), '-out', at('ca.pem'), '-days', '2', '-subj', '/CN=Test authority');
  openssl(
    'req',
    ...newKey('server.key'),
    '-out',
    at('server.csr'),
    '-subj',
    `/CN=${hostName}`,
    '-addext',
    `subjectAltName=${isIP(hostName) === 0 ? 'DNS' : 'IP'}:${hostName}`,
  );
  const issuer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', at('server.csr'), ...issuer, '-out', at('server.pem'), '-days', '2');
  const text = (name: string): string => readFileSync(at(name), 'utf8');
  return { authority: at('ca.pem'), certificate: text('server.pem'), key: text('server.key') };
}
