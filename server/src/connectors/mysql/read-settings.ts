import { type DatabaseServerConfig, readDatabaseServer } from '../database-server/read-settings.ts';
import { settingsReader } from '../settings-reader.ts';
import type { SourceError } from '../source-error.ts';
import type { Settings, SourceIdentity } from '../source-settings.ts';

/** Parsed settings of a `kind: mysql` source, with resolved secrets. */
export interface MysqlConfig extends DatabaseServerConfig {
  /** Databases of the catalog, never empty; objects of the first one have unqualified names. */
  readonly databases: readonly string[];
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readMysqlConfig(source: SourceIdentity, settings: Settings): MysqlConfig {
  const read = settingsReader(source.name);
  return {
    ...readDatabaseServer(source, settings, read, 3306),
    databases: readDatabases(read.text(settings, 'database'), settings['databases'], read.wrong),
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
