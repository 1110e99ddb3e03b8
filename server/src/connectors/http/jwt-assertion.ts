import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readSettingFile } from '../read-setting-file.ts';
import { SourceError } from '../source-error.ts';

/** A login by a signed JWT (RFC 7523). */
export interface JwtSettings {
  /** Absolute path of a PEM file with the private key. */
  readonly keyFile: string;
  readonly passphrase?: string | undefined;
  readonly keyId?: string | undefined;
  readonly algorithm: JwtAlgorithm;
  readonly issuer: string;
  readonly audience: string;
  /** The user, as a value of the server's lookup field. */
  readonly subject: string;
}

export const jwtAlgorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'] as const;
type JwtAlgorithm = (typeof jwtAlgorithms)[number];

/** Validity in seconds; servers tolerate clock differences of some minutes. */
const life = 300;

/**
 * A signed assertion, valid for some minutes from `now` (milliseconds). Rejects with `source-config` for an unusable
 * key.
 */
export async function jwtAssertion(settings: JwtSettings, now: number): Promise<string> {
  const { keyFile, keyId, algorithm, issuer, audience, subject, passphrase } = settings;
  const pem = await readSettingFile(keyFile).catch((error: Error) => {
    throw unusableKey(keyFile, error);
  });
  const seconds = Math.floor(now / 1000);
  const header = { alg: algorithm, typ: 'JWT', kid: keyId };
  const claims = { iss: issuer, aud: audience, sub: subject, iat: seconds, exp: seconds + life, jti: randomUUID() };
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  try {
    const key = createPrivateKey({ key: pem, passphrase });
    const isRsa = algorithm.startsWith('RS');
    if ((key.asymmetricKeyType === 'rsa') !== isRsa) throw new Error(`it is not a key for ${algorithm}`);
    // JWS concatenates the two numbers of an EC signature.
    const signature = sign(`sha${algorithm.slice(2)}`, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  } catch (error) {
    throw unusableKey(keyFile, error as Error);
  }
}

function unusableKey(file: string, { message }: Error): SourceError {
  return new SourceError('source-config', `The private key ${file} cannot be used: ${message}.`, {
    file,
    remedy: 'Correct key, passphrase or algorithm of auth in the data sources file.',
  });
}
