import { basename } from 'node:path';
import { readIncremental } from '../incremental-setting.ts';
import { settingsReader } from '../settings-reader.ts';
import schema from './settings.schema.json' with { type: 'json' };
import type { SourceError } from '../source-error.ts';
import type { Settings, SourceIdentity } from '../source-settings.ts';

/** Parsed settings of a `kind: csv` source. */
export interface FileSourceConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  /** Folder of the sources file, the base of `paths`. */
  readonly folder: string;
  /** Paths and globs as written, never empty. */
  readonly paths: readonly string[];
  /** IANA name. */
  readonly timeZone: string;
  /** Options of all files. */
  readonly options: FileOptions;
  /** Files that are one data object together: its name, and names, globs or paths of the files. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** By file name, or file name and table of a workbook (`book.xlsx/Orders`); each option overrides that of `options`. */
  readonly files: ReadonlyMap<string, FileOptions>;
  readonly statementTimeoutMs?: number | undefined;
  /** Imports may reuse unchanged rows. */
  readonly incremental: boolean;
}

/** Format options; missing ones are detected. */
export interface FileOptions {
  readonly header?: boolean;
  /** The line of a text file, or the row of a sheet, with the names of the columns, from 1 on. */
  readonly headerRow?: number;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly escape?: string;
  /** Texts that represent NULL, in addition to the empty text. */
  readonly nullValues?: readonly string[];
  /** In strptime notation. */
  readonly timestampFormat?: string;
  readonly dateFormat?: string;
  /** The decimal separator, `.` or `,`. */
  readonly decimal?: string;
  readonly encoding?: string;
  /** The path of the list of records in a JSON file: names separated by dots. */
  readonly records?: string;
  /** No data source names the file: warnings mention no settings. */
  readonly isStandalone?: boolean;
  /** DuckDB type by column name. */
  readonly types?: Readonly<Record<string, string>>;
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readFileSourceConfig(source: SourceIdentity, settings: Settings): FileSourceConfig {
  const { wrong, timeLimit } = settingsReader(source.name);
  const statementTimeoutMs = timeLimit(settings, 'statementTimeout');
  return {
    ...source,
    paths: readPaths(settings['path'], wrong),
    options: readOptions(settings, '', wrong),
    parts: readParts(settings['parts'], wrong),
    files: readOverrides(settings['files'], wrong),
    incremental: readIncremental(settings['incremental'], wrong),
    statementTimeoutMs,
  };
}

interface FileOrTable {
  readonly path: string;
  /** Of a workbook. */
  readonly table?: { readonly name: string };
}

/** The effective options of one file, or table of a workbook. */
export function optionsOf(config: FileSourceConfig, { path, table }: FileOrTable): FileOptions {
  const ofTable = table && config.files.get(tableKey(path, table.name));
  return { ...config.options, ...config.files.get(basename(path)), ...ofTable };
}

/** A table of a workbook in the setting `files`. */
export function tableKey(path: string, table: string): string {
  return `${basename(path)}/${table}`;
}

type Wrong = (setting: string, expected: string) => SourceError;

function readPaths(value: unknown, wrong: Wrong): readonly string[] {
  const paths = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (paths.length === 0 || !paths.every((path): path is string => typeof path === 'string' && path !== '')) {
    throw wrong('path', 'a path, a glob such as data/*.csv, or a list of them');
  }
  return paths;
}

function readParts(value: unknown, wrong: Wrong): ReadonlyMap<string, readonly string[]> {
  if (value === undefined || value === null) return new Map();
  if (!isSettings(value)) throw wrong('parts', 'a mapping from data objects to the files that they consist of');
  return new Map(
    Object.entries(value).map(([name, given]) => {
      const patterns = Array.isArray(given) ? (given as readonly unknown[]) : [given];
      if (name === '' || patterns.length === 0 || !patterns.every(isText)) {
        throw wrong(`parts.${name}`, 'the name of a file, a pattern such as orders-*.csv, or a list of them');
      }
      return [name, patterns];
    }),
  );
}

function readOverrides(value: unknown, wrong: Wrong): ReadonlyMap<string, FileOptions> {
  if (value === undefined || value === null) return new Map();
  if (!isSettings(value)) throw wrong('files', 'a mapping from file names to options');
  return new Map(
    Object.entries(value).map(([name, options]) => {
      if (options === null) return [name, {}];
      if (!isSettings(options)) throw wrong(`files.${name}`, 'a mapping of options');
      return [name, readOptions(options, `files.${name}.`, wrong)];
    }),
  );
}

/** Validation of each option, with the message for invalid values. */
const optionRules: readonly (readonly [keyof FileOptions, (value: unknown) => boolean, string])[] = [
  ['header', (value) => typeof value === 'boolean', 'true or false'],
  ['headerRow', (value) => Number.isInteger(value) && Number(value) >= 1, 'the number of a row, from 1 on'],
  ['delimiter', (value) => isText(value) && [...value].length <= 4, 'one to four characters'],
  ['quote', isCharacterOrNone, 'one character, or empty for none'],
  ['escape', isCharacterOrNone, 'one character, or empty for none'],
  ['nullValues', (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'), 'a list of texts'],
  ['timestampFormat', isFormat, 'a format of strptime, such as "%d-%m-%Y %H:%M"'],
  ['dateFormat', isFormat, 'a format of strptime, such as "%d-%m-%Y"'],
  ['decimal', (value) => value === '.' || value === ',', '"." or ","'],
  ['encoding', isText, 'the name of an encoding, such as utf-8 or windows-1252'],
  ['records', isText, 'the path of a list, such as data.items'],
  ['types', (value) => isSettings(value) && Object.values(value).every(isText), 'a mapping from columns to types'],
];

function readOptions(settings: Settings, path: string, wrong: Wrong): FileOptions {
  const options: Record<string, unknown> = {};
  for (const [name, isRight, expected] of optionRules) {
    const value = settings[name];
    if (value === undefined || value === null) continue;
    if (!isRight(value)) throw wrong(`${path}${name}`, expected);
    options[name] = value;
  }
  return options;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

const formatPattern = new RegExp(schema.definitions.dateFormat.pattern);

function isFormat(value: unknown): boolean {
  return isText(value) && formatPattern.test(value);
}

function isCharacterOrNone(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 1;
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
