import { resolve } from 'node:path';
import { settingsReader } from '../settings-reader.ts';
import type { Settings, SourceIdentity } from '../source-settings.ts';

/** Parsed settings of a `kind: duckdb` source. */
export interface DuckdbConfig {
  /** Name of the source in the sources file. */
  readonly name: string;
  readonly folder: string;
  /** The database file, or the entity graph whose imported graph is read: absolute paths. */
  readonly database: { readonly path: string } | { readonly graph: string };
  /** IANA name. */
  readonly timeZone: string;
  readonly statementTimeoutMs?: number | undefined;
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readDuckdbConfig(source: SourceIdentity, settings: Settings): DuckdbConfig {
  const { wrong, timeLimit } = settingsReader(source.name);
  const path = (setting: 'path' | 'graph', expected: string): string | undefined => {
    const value = settings[setting];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string' || value === '') throw wrong(setting, expected);
    return resolve(source.folder, value);
  };
  const file = path('path', 'the path of a DuckDB database file');
  const graph = path('graph', 'the path of an entity graph, such as orders.entity.yaml');
  if (file !== undefined && graph !== undefined) throw wrong('path or graph', 'given, not both');
  if (graph !== undefined && !/\.entity\.(ya?ml|json)$/i.test(graph)) {
    throw wrong('graph', 'the path of an entity graph, such as orders.entity.yaml');
  }
  const database = graph === undefined ? file && { path: file } : { graph };
  if (!database) throw wrong('path or graph', 'given');
  const statementTimeoutMs = timeLimit(settings, 'statementTimeout');
  const { name, folder, timeZone } = source;
  return { name, folder, database, timeZone, statementTimeoutMs };
}
