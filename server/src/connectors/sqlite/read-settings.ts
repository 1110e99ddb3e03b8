import { resolve } from 'node:path';
import { settingsReader } from '../settings-reader.ts';
import type { SourceError } from '../source-error.ts';
import type { Settings, SourceIdentity } from '../source-settings.ts';

/** Parsed settings of a `kind: sqlite` source. */
export interface SqliteConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  /** Absolute path of the database file. */
  readonly path: string;
  /** By `table.column` in lower case, as names of SQLite do not differ by case. */
  readonly times: ReadonlyMap<string, TimeStorage>;
  /** IANA name. */
  readonly timeZone: string;
  readonly statementTimeoutMs?: number | undefined;
}

export const timeStorages = ['text', 'date', 'unix-seconds', 'unix-milliseconds', 'julian-days', 'none'] as const;
/** How times are stored in a column; `none`: its values are not times. */
export type TimeStorage = (typeof timeStorages)[number];

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readSqliteConfig(source: SourceIdentity, settings: Settings): SqliteConfig {
  const { wrong, timeLimit } = settingsReader(source.name);
  const path = settings['path'];
  if (typeof path !== 'string' || path === '') throw wrong('path', 'the path of an SQLite database file');
  const statementTimeoutMs = timeLimit(settings, 'statementTimeout');
  return {
    name: source.name,
    path: resolve(source.folder, path),
    times: readTimes(settings['times'], wrong),
    timeZone: source.timeZone,
    statementTimeoutMs,
  };
}

function readTimes(
  value: unknown,
  wrong: (setting: string, expected: string) => SourceError,
): ReadonlyMap<string, TimeStorage> {
  if (value === undefined || value === null) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('times', 'a mapping from table.column');
  return new Map(
    Object.entries(value).map(([column, said]) => {
      const storage = timeStorages.find((each) => each === said);
      if (storage === undefined) throw wrong(`times.${column}`, `one of ${timeStorages.join(', ')}`);
      return [column.toLowerCase(), storage];
    }),
  );
}
