/** What the modes of `ssl.mode` mean to somebody who decides whether to send a password. */
const modeMeanings: Readonly<Record<string, string>> = {
  disable: 'not encrypted',
  allow: 'encrypted only if the server insists',
  prefer: 'encrypted only if the server offers it',
  require: 'encrypted, certificate not checked',
  'verify-ca': 'encrypted, certificate checked',
  'verify-full': 'encrypted, certificate and name checked',
};

/** Describes the protection of a connection, whose TLS mode comes before authorities and proxy. */
export function protectionText(tls: string): string {
  const [mode = '', ...others] = tls.split(', ');
  const meaning = modeMeanings[mode];
  return [meaning === undefined ? mode : `TLS mode ${mode}: ${meaning}`, ...others].join(', ');
}
