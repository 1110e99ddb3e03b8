import { parseDuration } from '../model/duration.ts';
import { type SourceError, errorOfSource } from './source-error.ts';
import type { Settings } from './source-settings.ts';

/**
 * Typed access to the settings of a source; each function throws a `source-config` error that names the setting.
 * `path` is the path of the group that contains the setting, such as `auth.`.
 */
export interface SettingsReader {
  wrong(setting: string, expected: string): SourceError;
  /** Undefined when missing. Numbers, such as unquoted passwords in YAML, become texts. */
  text(settings: Settings, setting: string, path?: string): string | undefined;
  needed(settings: Settings, setting: string, path?: string): string;
  /** Milliseconds, more than 0. */
  duration(settings: Settings, setting: string, path?: string): number | undefined;
  /** Milliseconds; 0 is passed on, which servers take for no limit. */
  timeLimit(settings: Settings, setting: string): number | undefined;
  /** A positive integer; environment variables are texts. */
  count(settings: Settings, setting: string, path?: string): number | undefined;
  oneOf<T extends string>(settings: Settings, setting: string, values: readonly T[], path?: string): T | undefined;
  group(settings: Settings, setting: string, path?: string): Settings | undefined;
  /** One text or a list of texts. */
  texts(settings: Settings, setting: string, path?: string): readonly string[] | undefined;
  groups(settings: Settings, setting: string): readonly Settings[];
}

export function settingsReader(sourceName: string): SettingsReader {
  const wrong = (setting: string, expected: string): SourceError =>
    errorOfSource(sourceName, 'source-config', `${setting} must be ${expected}.`, {
      remedy: `Correct ${setting} of ${sourceName} in the data sources file.`,
    });
  const given = (settings: Settings, setting: string): unknown => settings[setting] ?? undefined;
  const text: SettingsReader['text'] = (settings, setting, path = '') => {
    const value = given(settings, setting);
    if (value === undefined) return undefined;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (typeof value !== 'string' || value === '') throw wrong(path + setting, 'a text');
    return value;
  };
  const durationAt = (settings: Settings, setting: string, path: string): number | undefined => {
    const value = given(settings, setting);
    if (value === undefined) return undefined;
    const milliseconds = parseDuration(value);
    if (milliseconds === undefined) throw wrong(path, 'a duration such as 500ms, 30s or 2m');
    return milliseconds;
  };
  return {
    wrong,
    text,
    timeLimit: (settings, setting) => durationAt(settings, setting, setting),
    needed(settings, setting, path = '') {
      const value = text(settings, setting, path);
      if (value === undefined) throw wrong(path + setting, 'given');
      return value;
    },
    duration(settings, setting, path = '') {
      const milliseconds = durationAt(settings, setting, path + setting);
      if (milliseconds === 0) throw wrong(path + setting, 'a duration such as 500ms, 30s or 2m');
      return milliseconds;
    },
    count(settings, setting, path = '') {
      const value = given(settings, setting);
      if (value === undefined) return undefined;
      const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isInteger(number) || number < 1) {
        throw wrong(path + setting, 'a whole number from 1 on');
      }
      return number;
    },
    oneOf(settings, setting, values, path = '') {
      const value = text(settings, setting, path);
      const known = values.find((each) => each === value);
      if (value !== undefined && known === undefined) throw wrong(path + setting, `one of ${values.join(', ')}`);
      return known;
    },
    group(settings, setting, path = '') {
      const value = given(settings, setting);
      if (value === undefined) return undefined;
      if (!isSettings(value)) throw wrong(path + setting, 'a group of settings');
      return value;
    },
    texts(settings, setting, path = '') {
      const value = given(settings, setting);
      if (value === undefined) return undefined;
      const list: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (!list.every((each): each is string => typeof each === 'string' && each !== '')) {
        throw wrong(path + setting, 'a text or a list of texts');
      }
      return list;
    },
    groups(settings, setting) {
      const value = given(settings, setting);
      if (value === undefined) return [];
      if (!Array.isArray(value) || !value.every(isSettings)) throw wrong(setting, 'a list of groups of settings');
      return value;
    },
  };
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
