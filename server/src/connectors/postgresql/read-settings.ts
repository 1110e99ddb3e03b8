import { readIncremental } from '../incremental-setting.ts';
import { type SourceError, errorOfSource } from '../source-error.ts';
import { readHost } from '../read-host.ts';
import { readPort } from '../read-port.ts';
import { type TlsSettings, readTls } from '../tls/tls-settings.ts';
import { parseDuration } from '../../model/duration.ts';

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
  const host = readHost(text('host', settings['host']), wrong);
  const password = text('password', settings['password'] === '' ? undefined : settings['password']);
  const statementTimeoutMs = duration('statementTimeout');
  return {
    name: source.name,
    host,
    port: readPort(settings['port'], 5432, wrong),
    database: needed('database'),
    user: needed('user'),
    ...(password !== undefined && { password }),
    schemas: neededSchemas(settings['schemas'], wrong),
    timeZone: source.timeZone,
    tls: readTls(settings['ssl'], { folder: source.folder, host }, wrong),
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    connectTimeoutMs: duration('connectTimeout') ?? 10_000,
    incremental: readIncremental(settings['incremental'], wrong),
  };
}

type Wrong = (setting: string, expected: string) => SourceError;

function neededSchemas(value: unknown, wrong: Wrong): readonly string[] {
  const schemas = readSchemas(value);
  if (!schemas) throw wrong('schemas', 'a list of schema names');
  return schemas;
}

/** The value of `schemas`; undefined for an invalid one. */
export function readSchemas(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return ['public'];
  const schemas: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (schemas.length === 0 || !schemas.every((schema) => typeof schema === 'string' && schema !== '')) return undefined;
  return [...new Set(schemas as readonly string[])];
}
