import { resolve } from 'node:path';
import { isThisMachine } from '../../model/this-machine.ts';
import type { SourceError } from '../source-error.ts';

/** Like `sslmode` of libpq, with absolute file paths. */
export interface TlsSettings {
  readonly mode: TlsMode;
  /** Not set: the mode depends on the host. */
  readonly isDefault?: true;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type TlsMode = (typeof tlsModes)[number];

type Wrong = (setting: string, expected: string) => SourceError;

/** Without a mode, no password is sent unencrypted to another machine. */
export function readTls(
  value: unknown,
  { folder, host }: { readonly folder: string; readonly host: string },
  wrong: Wrong,
): TlsSettings {
  const usual: TlsSettings = { mode: isThisMachine(host) ? 'prefer' : 'require', isDefault: true };
  if (value === undefined || value === null) return usual;
  if (typeof value === 'boolean') return { mode: value ? 'require' : 'disable' };
  if (typeof value !== 'object' || Array.isArray(value))
    throw wrong('ssl', 'a group of settings such as { mode: verify-full }');
  const ssl = value as Readonly<Record<string, unknown>>;
  const file = (setting: 'ca' | 'cert' | 'key'): Partial<Record<typeof setting, string>> => {
    const path = ssl[setting];
    if (path === undefined || path === null) return {};
    if (typeof path !== 'string' || path === '') throw wrong(`ssl.${setting}`, 'the path of a PEM file');
    return { [setting]: resolve(folder, path) };
  };
  // A configured authority implies certificate validation.
  const mode = ssl['mode'] ?? (ssl['ca'] === undefined ? usual.mode : 'verify-full');
  const known = tlsModes.find((candidate) => candidate === mode);
  if (known === undefined) throw wrong('ssl.mode', `one of ${tlsModes.join(', ')}`);
  if ((ssl['cert'] === undefined) !== (ssl['key'] === undefined)) throw wrong('ssl.cert and ssl.key', 'given together');
  const isDefault = ssl['mode'] === undefined && ssl['ca'] === undefined;
  return { mode: known, ...(isDefault && { isDefault }), ...file('ca'), ...file('cert'), ...file('key') };
}
