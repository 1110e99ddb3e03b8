import { resolve } from 'node:path';
import { readIncremental } from '../incremental-setting.ts';
import { isThisMachine } from '../../model/this-machine.ts';
import { type SourceError, errorOfSource } from '../source-error.ts';
import { parseDuration } from '../duration.ts';

/** Parsed settings of a `kind: postgresql` source, with resolved secrets. */
export interface PostgresqlConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** Schemas of the catalog, never empty; objects of the first one have unqualified names. */
  readonly schemas: readonly string[];
  /** IANA name. */
  readonly timeZone: string;
  readonly tls: TlsSettings;
  /** Time limit of every statement, imports included; undefined: previews use a default, imports none. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs: number;
  /** Imports may reuse unchanged rows. */
  readonly incremental: boolean;
}

/** Like `sslmode` of libpq, with absolute file paths. */
export interface TlsSettings {
  readonly mode: TlsMode;
  /** Not set: the mode depends on the host. */
  readonly isDefault?: true;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type TlsMode = (typeof tlsModes)[number];

interface SourceIdentity {
  readonly name: string;
  readonly timeZone: string;
  /** Folder of the sources file. */
  readonly folder: string;
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readPostgresqlConfig(
  source: SourceIdentity,
  settings: Readonly<Record<string, unknown>>,
): PostgresqlConfig {
  const wrong = (setting: string, expected: string): SourceError =>
    errorOfSource(source.name, 'source-config', `${setting} must be ${expected}.`, {
      remedy: `Correct ${setting} of ${source.name} in the data sources file.`,
    });
  const text = (setting: string, value: unknown): string | undefined => {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number') return String(value);
    if (typeof value !== 'string' || value === '') throw wrong(setting, 'a text');
    return value;
  };
  const needed = (setting: string): string => {
    const value = text(setting, settings[setting]);
    if (value === undefined) throw wrong(setting, 'given');
    return value;
  };
  const duration = (setting: string): number | undefined => {
    const value = settings[setting];
    if (value === undefined || value === null) return undefined;
    const milliseconds = parseDuration(value);
    if (milliseconds === undefined) throw wrong(setting, 'a duration such as 500ms, 30s or 2m');
    return milliseconds;
  };
  const host = text('host', settings['host']) ?? 'localhost';
  const password = text('password', settings['password'] === '' ? undefined : settings['password']);
  const statementTimeoutMs = duration('statementTimeout');
  return {
    name: source.name,
    host,
    port: readPort(settings['port'], wrong),
    database: needed('database'),
    user: needed('user'),
    ...(password !== undefined && { password }),
    schemas: readSchemas(settings['schemas'], wrong),
    timeZone: source.timeZone,
    tls: readTls(settings['ssl'], { folder: source.folder, host }, wrong),
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    connectTimeoutMs: duration('connectTimeout') ?? 10_000,
    incremental: readIncremental(settings['incremental'], wrong),
  };
}

type Wrong = (setting: string, expected: string) => SourceError;

function readPort(value: unknown, wrong: Wrong): number {
  if (value === undefined || value === null) return 5432;
  // Environment variables are texts.
  const port = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw wrong('port', 'a number from 1 to 65535');
  }
  return port;
}

function readSchemas(value: unknown, wrong: Wrong): readonly string[] {
  if (value === undefined || value === null) return ['public'];
  const schemas: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (schemas.length === 0 || !schemas.every((schema) => typeof schema === 'string' && schema !== '')) {
    throw wrong('schemas', 'a list of schema names');
  }
  return [...new Set(schemas as readonly string[])];
}

/** Without a mode, no password is sent unencrypted to another machine. */
function readTls(
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
