import { type SourceError, errorOfSource } from '../source-error.ts';
import { readHost } from '../read-host.ts';
import { readPort } from '../read-port.ts';
import { type TlsSettings, readTls } from '../tls/tls-settings.ts';
import { parseDuration } from '../../model/duration.ts';

/** Parsed settings of a `kind: mysql` source, with resolved secrets. */
export interface MysqlConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  /** Databases of the catalog, never empty; objects of the first one have unqualified names. */
  readonly databases: readonly string[];
  /** IANA name. */
  readonly timeZone: string;
  readonly tls: TlsSettings;
  /** Time limit of every statement, imports included; undefined: previews use a default, imports none. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs: number;
}

interface SourceIdentity {
  readonly name: string;
  readonly timeZone: string;
  /** Folder of the sources file. */
  readonly folder: string;
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readMysqlConfig(source: SourceIdentity, settings: Readonly<Record<string, unknown>>): MysqlConfig {
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
    port: readPort(settings['port'], 3306, wrong),
    user: needed('user'),
    ...(password !== undefined && { password }),
    databases: readDatabases(text('database', settings['database']), settings['databases'], wrong),
    timeZone: source.timeZone,
    tls: readTls(settings['ssl'], { folder: source.folder, host }, wrong),
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    connectTimeoutMs: duration('connectTimeout') ?? 10_000,
  };
}

type Wrong = (setting: string, expected: string) => SourceError;

function readDatabases(first: string | undefined, further: unknown, wrong: Wrong): readonly string[] {
  const given = further === undefined || further === null ? [] : Array.isArray(further) ? further : [further];
  const databases: readonly unknown[] = first === undefined ? given : [first, ...given];
  if (databases.length === 0) throw wrong('database', 'given');
  if (!databases.every((each) => typeof each === 'string' && each !== '')) {
    throw wrong('databases', 'a list of names of databases');
  }
  return [...new Set(databases as readonly string[])];
}
