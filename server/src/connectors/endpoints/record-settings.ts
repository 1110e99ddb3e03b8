import type { SettingsReader } from '../settings-reader.ts';
import type { Settings } from '../source-settings.ts';
import { headerOf } from './answer-path.ts';
import type { RestEndpoint } from './endpoint.ts';
import { readPath } from './page-settings.ts';

/**
 * Where the records of an endpoint are, and what identifies them. Throws a `source-config` error that names the setting
 * below `path`.
 */
export function readRecordSettings(
  settings: Settings,
  path: string,
  read: SettingsReader,
  usual: { readonly records?: string; readonly nullValues?: readonly string[] | undefined },
): Pick<RestEndpoint, 'records' | 'keyColumn' | 'nullValues' | 'key'> {
  const records = readPath({ records: settings['records'] ?? usual.records }, 'records', path, read);
  if (headerOf(records) !== undefined) throw read.wrong(`${path}records`, 'in the body of the answer');
  return {
    records,
    keyColumn: read.text(settings, 'keyColumn', path),
    nullValues: readNullValues(settings, path, read) ?? usual.nullValues,
    key: read.texts(settings, 'key', path) ?? [],
  };
}

/** Unlike other texts, they may be empty. */
export function readNullValues(settings: Settings, path: string, read: SettingsReader): readonly string[] | undefined {
  const given: unknown = settings['nullValues'] ?? undefined;
  if (given === undefined) return undefined;
  const isList = Array.isArray(given) && given.every((each): each is string => typeof each === 'string');
  if (!isList) throw read.wrong(`${path}nullValues`, 'a list of texts');
  return given;
}
