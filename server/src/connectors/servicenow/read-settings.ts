import { readConnectionConfig, type ConnectionConfig } from '../http/connection-settings.ts';
import { readAddress } from '../http/read-address.ts';
import { settingsReader, type SettingsReader } from '../settings-reader.ts';
import type { Settings } from '../source-settings.ts';
import type { RestEndpoint } from '../endpoints/endpoint.ts';
import { readPages } from '../endpoints/page-settings.ts';
import { readRecordSettings } from '../endpoints/record-settings.ts';
import type { Pagination } from '../endpoints/pagination.ts';
import { isLanguage } from './catalog/choice-languages.ts';
import type { FormUpload } from './api/attachment-api.ts';
import type { DisplayValue } from './api/parameters.ts';

/** Parsed settings of a `kind: servicenow` source, with resolved secrets. */
export interface ServiceNowConfig extends ConnectionConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  readonly instanceUrl: URL;
  /** Path segment, `v1` or `v2`; default: the latest version. */
  readonly version?: string | undefined;
  /** Configured tables; default: the existing standard tables. */
  readonly tables?: readonly string[] | undefined;
  /** Columns behind references, by table: paths such as `assignment_group.name`. */
  readonly dotWalked: Readonly<Record<string, readonly string[]>>;
  readonly displayValue: DisplayValue;
  /** Path below `attachment` for uploads as a form. */
  readonly formUpload: FormUpload;
  /** Language code of choice labels; default: the language of the user. */
  readonly language?: string | undefined;
  /** Whether records of all domains are read, which requires a role. */
  readonly queryNoDomain: boolean;
  /** Maximum page size. */
  readonly pageSize: number;
  readonly concurrency: number;
  readonly scripted: readonly ScriptedEndpoint[];
  readonly onShortfall: 'fail' | 'warn';
  /** Whether imports read only changes since the previous one. */
  readonly incremental: boolean;
  /** Milliseconds after which an import reads everything again. */
  readonly fullEveryMs: number;
  /** IANA name of the zone of dates; times are UTC on the platform. */
  readonly timeZone: string;
  readonly statementTimeoutMs?: number | undefined;
}

export interface ScriptedEndpoint {
  readonly name: string;
  readonly namespace?: string | undefined;
  /** Version segment before the API id, such as `v1`; default: the default version. */
  readonly version?: string | undefined;
  readonly api?: string | undefined;
  /** May contain query parameters. */
  readonly path: string;
  /** Uses the default REST pagination. */
  readonly parameters: RestEndpoint['parameters'];
  readonly pagination?: Pagination;
  /** Path of the record list in a response; empty for the response itself. */
  readonly records: readonly string[];
  readonly keyColumn?: string | undefined;
  readonly nullValues?: readonly string[] | undefined;
  readonly key: readonly string[];
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readServiceNowConfig(
  source: { readonly name: string; readonly timeZone: string; readonly folder: string },
  settings: Settings,
): ServiceNowConfig {
  const read = settingsReader(source.name);
  const version = read.oneOf(settings, 'apiVersion', ['v1', 'v2', 'none']);
  const tables = read.texts(settings, 'tables');
  for (const table of tables ?? []) if (!/^\w+$/.test(table)) throw read.wrong('tables', 'a list of table names');
  const language = read.text(settings, 'language');
  if (language !== undefined && !isLanguage(language))
    throw read.wrong('language', 'the code of a language such as de');
  const statementTimeoutMs = read.duration(settings, 'statementTimeout');
  return {
    name: source.name,
    instanceUrl: readAddress(read.needed(settings, 'instanceUrl'), 'instanceUrl', read),
    version: version !== undefined && version !== 'none' ? version : undefined,
    tables: tables === undefined ? undefined : [...new Set(tables)],
    // The platform itself cancels after one to five minutes.
    ...readConnectionConfig(settings, read, { folder: source.folder, requestTimeoutMs: 320_000 }),
    dotWalked: readDotWalked(settings, read),
    formUpload: read.oneOf(settings, 'formUpload', ['file', 'upload']) ?? 'file',
    displayValue: read.oneOf(settings, 'displayValue', ['false', 'true', 'all']) ?? 'false',
    language,
    queryNoDomain: read.oneOf(settings, 'queryNoDomain', ['true', 'false']) === 'true',
    pageSize: read.count(settings, 'pageSize') ?? 1000,
    concurrency: read.count(settings, 'concurrency') ?? 4,
    scripted: read.groups(settings, 'scripted').map((each, index) => readScripted(each, `scripted[${index}].`, read)),
    onShortfall: read.oneOf(settings, 'onShortfall', ['fail', 'warn']) ?? 'fail',
    incremental: read.oneOf(settings, 'incremental', ['true', 'false']) === 'true',
    fullEveryMs: read.duration(settings, 'fullEvery') ?? 7 * 86_400_000,
    timeZone: source.timeZone,
    statementTimeoutMs,
  };
}

function readDotWalked(settings: Settings, read: SettingsReader): ServiceNowConfig['dotWalked'] {
  const group = read.group(settings, 'dotWalked') ?? {};
  return Object.fromEntries(
    Object.keys(group).map((table) => {
      const paths = read.texts(group, table, 'dotWalked.') ?? [];
      const isPath = (path: string): boolean => /^\w+(?:\.\w+)+$/.test(path);
      if (!paths.every(isPath)) throw read.wrong(`dotWalked.${table}`, 'a list of paths such as assignment_group.name');
      return [table, [...new Set(paths)]];
    }),
  );
}

function readScripted(settings: Settings, path: string, read: SettingsReader): ScriptedEndpoint {
  const namespace = read.text(settings, 'namespace', path);
  const version = read.text(settings, 'version', path);
  if (version !== undefined && !/^v\d+$/.test(version)) throw read.wrong(`${path}version`, 'a version such as v1');
  const api = read.text(settings, 'api', path);
  return {
    name: read.needed(settings, 'name', path),
    namespace,
    version,
    api,
    path: read.needed(settings, 'path', path),
    ...readRecordSettings(settings, path, read, { records: 'result' }),
    ...readPages(settings, path, read),
  };
}
