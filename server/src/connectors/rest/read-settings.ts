import { resolve } from 'node:path';
import { readConnectionConfig, type ConnectionConfig } from '../http/connection-settings.ts';
import { readAddress } from '../http/read-address.ts';
import { settingsReader, type SettingsReader } from '../settings-reader.ts';
import type { Settings } from '../source-settings.ts';
import type { RestEndpoint } from '../endpoints/endpoint.ts';
import { readPages, readTexts } from '../endpoints/page-settings.ts';
import { readNullValues, readRecordSettings } from '../endpoints/record-settings.ts';
import { readRequestHeaders } from './request-headers.ts';

/** Parsed settings of a `kind: rest` source, with resolved secrets. */
export interface RestConfig extends ConnectionConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  readonly baseUrl: URL;
  /** Names are unique, ignoring case; empty only with a document. */
  readonly endpoints: readonly RestEndpoint[];
  /** Further headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that represent missing values, unless an endpoint has its own. */
  readonly nullValues: readonly string[] | undefined;
  /** OpenAPI document with further endpoints. */
  readonly openapi?: OpenApiPlace | undefined;
  /** IANA name. */
  readonly timeZone: string;
  readonly statementTimeoutMs?: number | undefined;
}

/** An OpenAPI document: a file (absolute path), or an address on the configured host. */
export type OpenApiPlace =
  { readonly kind: 'file'; readonly file: string } | { readonly kind: 'url'; readonly url: URL };

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readRestConfig(
  source: { readonly name: string; readonly timeZone: string; readonly folder: string },
  settings: Settings,
): RestConfig {
  const read = settingsReader(source.name);
  const statementTimeoutMs = read.duration(settings, 'statementTimeout');
  const connection = readConnectionConfig(settings, read, { folder: source.folder, requestTimeoutMs: 60_000 });
  const { auth } = connection;
  const nullValues = readNullValues(settings, '', read);
  if (auth.kind === 'oauth2' && auth.tokenUrl === undefined) throw read.wrong('auth.tokenUrl', 'given');
  if (auth.kind === 'oauth2' && auth.oauth.grant === 'authorization_code' && !auth.oauth.authorizationUrl) {
    throw read.wrong('auth.authorizationUrl', 'given');
  }
  const endpoints = read
    .groups(settings, 'endpoints')
    .map((each, index) => readEndpoint(each, `endpoints[${index}].`, read, nullValues));
  const baseUrl = readAddress(read.needed(settings, 'baseUrl'), 'baseUrl', read, { plainHttp: auth.kind === 'none' });
  const openapi = readOpenApi(read.text(settings, 'openapi'), baseUrl, source.folder, read);
  if (endpoints.length === 0 && !openapi) throw read.wrong('endpoints', 'a list with at least one endpoint');
  const names = endpoints.map(({ name }) => name.toLowerCase());
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0)
    throw read.wrong(`endpoints[${twice}].name`, 'a name that no other endpoint has, in any case of letters');
  return {
    name: source.name,
    baseUrl,
    openapi,
    ...connection,
    headers: readRequestHeaders(settings, auth, read),
    nullValues,
    endpoints,
    timeZone: source.timeZone,
    statementTimeoutMs,
  };
}

/** Another host would receive the credentials of this one. */
function readOpenApi(
  given: string | undefined,
  baseUrl: URL,
  folder: string,
  read: SettingsReader,
): OpenApiPlace | undefined {
  if (given === undefined) return undefined;
  if (!/^https?:\/\//i.test(given)) return { kind: 'file', file: resolve(folder, given) };
  const url = readAddress(given, 'openapi', read, { plainHttp: true });
  if (url.origin !== baseUrl.origin)
    throw read.wrong('openapi', `a file, or an address that starts with ${baseUrl.origin}`);
  return { kind: 'url', url };
}

function readEndpoint(
  settings: Settings,
  path: string,
  read: SettingsReader,
  nullValues: readonly string[] | undefined,
): RestEndpoint {
  return {
    name: read.needed(settings, 'name', path),
    path: read.needed(settings, 'path', path),
    ...readRecordSettings(settings, path, read, { nullValues }),
    columns: readTexts(settings, 'columns', path, read),
    ...readPages(settings, path, read),
  };
}
