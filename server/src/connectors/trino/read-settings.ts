import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import type { AuthSettings } from '../http/auth-settings.ts';
import { readConnectionConfig, type ConnectionConfig } from '../http/connection-settings.ts';
import { settingsReader, type SettingsReader } from '../settings-reader.ts';
import { isThisMachine } from '../../model/this-machine.ts';
import { readPort } from '../read-port.ts';
import type { Settings, SourceIdentity } from '../source-settings.ts';

/** Parsed settings of a `kind: trino` source, with resolved secrets. */
export interface TrinoConfig extends ConnectionConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: URL;
  /** Undefined: the server takes the user of the login. */
  readonly user?: string | undefined;
  readonly catalog: string;
  /** Schemas of `catalog`; objects of the first one have unqualified names. Empty: all. */
  readonly schemas: readonly string[];
  /** Schemas to read of other catalogs. */
  readonly others: readonly CatalogPart[];
  /** Roles by catalog; `system` is that of the cluster. */
  readonly roles: Readonly<Record<string, string>>;
  readonly sessionProperties: Readonly<Record<string, string>>;
  /** IANA name. */
  readonly timeZone: string;
  /** Time limit of every statement, imports included; undefined: previews use a default, imports none. */
  readonly statementTimeoutMs?: number | undefined;
}

/** A catalog, or one schema of it. */
interface CatalogPart {
  readonly catalog: string;
  readonly schema?: string;
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readTrinoConfig(source: SourceIdentity, settings: Settings): TrinoConfig {
  const read = settingsReader(source.name);
  const host = read.text(settings, 'host') ?? 'localhost';
  if (!isIPv6(host) && !/^[\p{L}\p{N}_.-]+$/u.test(host)) {
    throw read.wrong('host', 'a name or an address, without https:// and port; the port is set by port');
  }
  const connection = readConnectionConfig(settings, read, { folder: source.folder, requestTimeoutMs: 60_000 });
  const { isEncrypted, port, ca } = readEncryption(settings, host, source, read);
  const { auth } = connection;
  if (auth.kind === 'apiKey') throw read.wrong('auth.kind', 'one of basic, oauth2, bearer, mtls');
  if (!isEncrypted && auth.kind !== 'none' && !isThisMachine(host)) {
    throw read.wrong('ssl', 'true where auth is given: a login is not sent unencrypted');
  }
  checkOAuth(auth, read);
  const user = read.text(settings, 'user') ?? userOf(auth);
  if (user !== undefined) checkLine(user, 'user', read);
  if (user === undefined && auth.kind === 'none') throw read.wrong('user', 'given');
  const statementTimeoutMs = read.duration(settings, 'statementTimeout');
  return {
    ...connection,
    ...(ca !== undefined && { ca }),
    name: source.name,
    host,
    port,
    baseUrl: new URL(`${isEncrypted ? 'https' : 'http'}://${isIPv6(host) ? `[${host}]` : host}:${port}`),
    user,
    ...readCatalogs(settings, read),
    roles: readRoles(settings, read),
    sessionProperties: readProperties(settings, read),
    timeZone: source.timeZone,
    statementTimeoutMs,
  };
}

/** Names in Trino are lower case. */
const lower = (name: string): string => name.toLowerCase();

/** Schemas of `catalog` that are given in `catalogs` are read like those of `schemas`. */
function readCatalogs(settings: Settings, read: SettingsReader): Pick<TrinoConfig, 'catalog' | 'schemas' | 'others'> {
  const catalog = lower(read.needed(settings, 'catalog'));
  const own = (read.texts(settings, 'schemas') ?? []).map(lower);
  const parts = (read.texts(settings, 'catalogs') ?? []).map(partOf);
  checkLine(catalog, 'catalog', read);
  for (const schema of own) checkLine(schema, 'schemas', read);
  const others = parts.filter((part) => part.catalog !== catalog);
  // Without schemas, all of them are read.
  if (own.length === 0) return { catalog, schemas: [], others };
  const further = parts.flatMap((part) => (part.catalog === catalog ? [part.schema] : []));
  const named = further.filter((schema) => schema !== undefined);
  if (named.length < further.length)
    throw read.wrong('catalogs', `without ${catalog}, of which schemas names the schemas`);
  return { catalog, schemas: [...new Set([...own, ...named])], others };
}

/** A header would end at a line break. */
function checkLine(text: string, setting: string, read: SettingsReader): void {
  if (/\p{Cc}/u.test(text)) throw read.wrong(setting, 'without line breaks and control characters');
}

function partOf(text: string): CatalogPart {
  const dot = text.indexOf('.');
  if (dot <= 0 || dot === text.length - 1) return { catalog: lower(text) };
  return { catalog: lower(text.slice(0, dot)), schema: lower(text.slice(dot + 1)) };
}

interface Encryption {
  readonly isEncrypted: boolean;
  readonly port: number;
  readonly ca?: string | undefined;
}

const encryptedPorts: readonly number[] = [443, 8443];

function readEncryption(settings: Settings, host: string, source: SourceIdentity, read: SettingsReader): Encryption {
  const { ssl } = settings;
  const given = ssl === undefined || ssl === null || typeof ssl === 'boolean' ? (ssl ?? undefined) : true;
  const group = typeof ssl === 'boolean' ? undefined : read.group(settings, 'ssl');
  const ca = group && read.text(group, 'ca', 'ssl.');
  const port = (usual: number): number => readPort(settings['port'], usual, read.wrong);
  const isEncrypted = given ?? (!isThisMachine(host) || encryptedPorts.includes(port(8080)));
  return {
    isEncrypted,
    port: port(isEncrypted ? 443 : 8080),
    ca: ca === undefined ? undefined : resolve(source.folder, ca),
  };
}

function checkOAuth(auth: AuthSettings, read: SettingsReader): void {
  if (auth.kind !== 'oauth2') return;
  if (auth.tokenUrl === undefined) throw read.wrong('auth.tokenUrl', 'given');
  if (auth.oauth.grant === 'authorization_code' && !auth.oauth.authorizationUrl) {
    throw read.wrong('auth.authorizationUrl', 'given');
  }
}

function userOf(auth: AuthSettings): string | undefined {
  if (auth.kind === 'basic') return auth.user;
  return auth.kind === 'mtls' ? auth.login?.user : undefined;
}

function readRoles(settings: Settings, read: SettingsReader): Readonly<Record<string, string>> {
  const { role } = settings;
  if (typeof role === 'string') return { system: read.needed(settings, 'role') };
  const roles = readTexts(settings, 'role', read);
  if (!Object.keys(roles).every((catalog) => /^[^\s=,\p{Cc}]+$/u.test(catalog))) {
    throw read.wrong('role', 'a role, or a role for each catalog');
  }
  return roles;
}

function readProperties(settings: Settings, read: SettingsReader): Readonly<Record<string, string>> {
  const properties = readTexts(settings, 'sessionProperties', read);
  const wrong = Object.keys(properties).find((name) => !/^[\w.-]+$/.test(name));
  if (wrong !== undefined) {
    throw read.wrong('sessionProperties', 'names of letters, digits, dots, hyphens and underscores, with their values');
  }
  return properties;
}

function readTexts(settings: Settings, setting: string, read: SettingsReader): Readonly<Record<string, string>> {
  const group = read.group(settings, setting) ?? {};
  return Object.fromEntries(Object.keys(group).map((name) => [name, read.needed(group, name, `${setting}.`)]));
}
