import { resolve } from 'node:path';
import { readConnectionConfig, type ConnectionConfig } from '../http/connection-settings.ts';
import { readAddress } from '../http/read-address.ts';
import { settingsReader, type Settings, type SettingsReader } from '../http/read-settings.ts';
import { hasPlaceholder, templateMistake } from './parameter-template.ts';
import { defaultPageSize } from './tell-paging.ts';
import type { Pagination } from './pagination.ts';

/** Parsed settings of a `kind: rest` source, with resolved secrets. */
export interface RestConfig extends ConnectionConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  readonly baseUrl: URL;
  /** Names are unique, ignoring case; empty only with a document. */
  readonly endpoints: readonly RestEndpoint[];
  /** OpenAPI document with further endpoints. */
  readonly openapi?: OpenApiPlace;
  /** IANA name. */
  readonly timeZone: string;
  readonly statementTimeoutMs?: number;
}

/** An OpenAPI document: a file (absolute path), or an address on the configured host. */
export type OpenApiPlace =
  { readonly kind: 'file'; readonly file: string } | { readonly kind: 'url'; readonly url: URL };

export interface RestEndpoint {
  readonly name: string;
  /** Path below the base address. */
  readonly path: string;
  /** Query parameters, each sent when its placeholders have values. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Path of the record list in a response; empty for the response itself. */
  readonly records: readonly string[];
  readonly key: readonly string[];
  /** Declared DuckDB types by column. */
  readonly columns: Readonly<Record<string, string>>;
  readonly pagination?: Pagination;
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readRestConfig(
  source: { readonly name: string; readonly timeZone: string; readonly folder: string },
  settings: Settings,
): RestConfig {
  const read = settingsReader(source.name);
  const statementTimeoutMs = read.duration(settings, 'statementTimeout');
  const connection = readConnectionConfig(settings, read, { folder: source.folder, requestTimeoutMs: 60_000 });
  const { auth } = connection;
  if (auth.kind === 'oauth2' && auth.tokenUrl === undefined) throw read.wrong('auth.tokenUrl', 'given');
  if (auth.kind === 'oauth2' && auth.oauth.grant === 'authorization_code' && !auth.oauth.authorizationUrl) {
    throw read.wrong('auth.authorizationUrl', 'given');
  }
  const endpoints = read
    .groups(settings, 'endpoints')
    .map((each, index) => readEndpoint(each, `endpoints[${index}].`, read));
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
    ...(openapi && { openapi }),
    ...connection,
    endpoints,
    timeZone: source.timeZone,
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
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

function readEndpoint(settings: Settings, path: string, read: SettingsReader): RestEndpoint {
  return {
    name: read.needed(settings, 'name', path),
    path: read.needed(settings, 'path', path),
    records: readPath(settings, 'records', path, read),
    key: read.texts(settings, 'key', path) ?? [],
    columns: readTexts(settings, 'columns', path, read),
    ...readPages(settings, path, read),
  };
}

/** Parameters and pagination of an endpoint. Throws a `source-config` error that names the setting below `path`. */
export function readPages(
  settings: Settings,
  path: string,
  read: SettingsReader,
): Pick<RestEndpoint, 'parameters' | 'pagination'> {
  const parameters = readTexts(settings, 'parameters', path, read);
  const group = read.group(settings, 'pagination', path);
  const pagination = group && readPagination(group, parameters, `${path}pagination.`, read);
  for (const [name, template] of Object.entries(parameters)) {
    const mistake = templateMistake(template, pagination?.style);
    if (mistake !== undefined) throw read.wrong(`${path}parameters.${name}`, mistake);
  }
  return { parameters, ...(pagination && { pagination }) };
}

function readPagination(
  settings: Settings,
  parameters: RestEndpoint['parameters'],
  path: string,
  read: SettingsReader,
): Pagination {
  const style = read.oneOf(settings, 'style', ['offset', 'page', 'cursor', 'link'], path);
  const limit = read.text(settings, 'limitParameter', path);
  const pageSize = read.count(settings, 'pageSize', path) ?? defaultPageSize;
  const withLimit = (name: string | undefined) => ({ pageSize, ...(name !== undefined && { limitParameter: name }) });
  const given = read.text(settings, 'parameter', path);
  // Default parameters are omitted when templates replace them.
  const own = (usual: string, name: string): string | undefined =>
    hasPlaceholder(parameters, name) ? undefined : usual;
  const parameter = given ?? (style && own(style, style));
  const placed = parameter === undefined ? {} : { parameter };
  const total = readPath(settings, 'total', path, read);
  switch (style) {
    case 'offset': {
      const overlap = read.count(settings, 'overlap', path) ?? 0;
      if (overlap >= pageSize) throw read.wrong(`${path}overlap`, 'smaller than pageSize');
      return { style, ...withLimit(limit ?? own('limit', 'pageSize')), ...placed, total, overlap };
    }
    case 'page': {
      const first = settings['first'] ?? 1;
      if (first !== 0 && first !== 1) throw read.wrong(`${path}first`, '0 or 1');
      return { style, ...withLimit(limit), ...placed, first, total };
    }
    case 'cursor': {
      const next = readPath(settings, 'next', path, read);
      if (next.length === 0) throw read.wrong(`${path}next`, 'the names that lead to the next cursor in an answer');
      return { style, ...withLimit(limit), ...placed, next };
    }
    case 'link':
      return { style, ...withLimit(limit) };
    default:
      throw read.wrong(`${path}style`, 'one of offset, page, cursor, link');
  }
}

function readPath(settings: Settings, setting: string, path: string, read: SettingsReader): readonly string[] {
  return (read.text(settings, setting, path) ?? '').split('.').filter((name) => name !== '');
}

function readTexts(
  settings: Settings,
  setting: string,
  path: string,
  read: SettingsReader,
): Readonly<Record<string, string>> {
  const group = read.group(settings, setting, path) ?? {};
  return Object.fromEntries(Object.keys(group).map((name) => [name, read.needed(group, name, `${path}${setting}.`)]));
}
