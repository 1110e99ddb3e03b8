import { isIPv6 } from 'node:net';
import { readPort } from '../read-port.ts';
import type { SettingsReader } from '../settings-reader.ts';
import type { SourceError } from '../source-error.ts';
import type { Settings, SourceIdentity } from '../source-settings.ts';
import type { ServerGreeting } from './identify-server.ts';
import { type TlsSettings, readTls } from '../tls/tls-settings.ts';

/** Settings that the kinds of database servers share, with resolved secrets. */
export interface DatabaseServerConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly tls: TlsSettings;
  /** Time limit of every statement, imports included; undefined: previews use a default, imports none. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs: number;
  /** Added by connectors: names another server that answers at the address. */
  readonly greetings?: readonly ServerGreeting[] | undefined;
}

/** Parses the shared settings. Throws a `source-config` error that names the setting. */
export function readDatabaseServer(
  { name, timeZone, folder }: SourceIdentity,
  settings: Settings,
  read: SettingsReader,
  defaultPort: number,
): DatabaseServerConfig {
  const host = readHost(read.text(settings, 'host'), read.wrong);
  const password = settings['password'] === '' ? undefined : read.text(settings, 'password');
  const statementTimeoutMs = read.timeLimit(settings, 'statementTimeout');
  return {
    name,
    host,
    timeZone,
    port: readPort(settings['port'], defaultPort, read.wrong),
    user: read.needed(settings, 'user'),
    ...(password !== undefined && { password }),
    tls: readTls(settings['ssl'], { folder, host }, read.wrong),
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    connectTimeoutMs: read.timeLimit(settings, 'connectTimeout') ?? 10_000,
  };
}

/** The setting `host` of a server, or the path of its socket. Throws the error of `wrong` if it contains a port. */
function readHost(value: string | undefined, wrong: (setting: string, expected: string) => SourceError): string {
  const host = value ?? 'localhost';
  if (!host.startsWith('/') && !isIPv6(host) && /:\d+$/.test(host)) {
    throw wrong('host', 'a name or an address without port; the port is set by port');
  }
  return host;
}
