import { type DatabaseServerConfig, readDatabaseServer } from '../database-server/read-settings.ts';
import { readIncremental } from '../incremental-setting.ts';
import { type SettingsReader, settingsReader } from '../settings-reader.ts';
import type { SourceError } from '../source-error.ts';
import type { Settings, SourceIdentity } from '../source-settings.ts';

/** Parsed settings of a `kind: postgresql` source, with resolved secrets. */
export interface PostgresqlConfig extends DatabaseServerConfig {
  readonly database: string;
  /** Schemas of the catalog, never empty; objects of the first one have unqualified names. */
  readonly schemas: readonly string[];
  /** Imports may reuse unchanged rows. */
  readonly incremental: boolean;
  /** By data object: the column that tells when a row was last changed. */
  readonly watermarks: ReadonlyMap<string, string>;
  /** Connections over which a large table is read, 1 or 2. */
  readonly pullConnections: number;
}

/** Parses the settings. Throws a `source-config` error that names the setting. */
export function readPostgresqlConfig(source: SourceIdentity, settings: Settings): PostgresqlConfig {
  const read = settingsReader(source.name);
  return {
    ...readDatabaseServer(source, settings, read, 5432),
    database: read.needed(settings, 'database'),
    schemas: neededSchemas(settings['schemas'], read.wrong),
    incremental: readIncremental(settings['incremental'], read.wrong),
    watermarks: readWatermarks(settings['watermarks'], read.wrong),
    pullConnections: readPullConnections(read, settings),
  };
}

/** The name of a data object: bare in the first configured schema, else `schema.table`. */
export function objectName(schemas: readonly string[], schema: string, table: string): string {
  return schema === schemas[0] ? table : `${schema}.${table}`;
}

type Wrong = (setting: string, expected: string) => SourceError;

function readWatermarks(value: unknown, wrong: Wrong): ReadonlyMap<string, string> {
  if (value === undefined || value === null) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong('watermarks', 'a mapping from tables to columns');
  return new Map(
    Object.entries(value).map(([table, column]) => {
      if (typeof column !== 'string' || column === '') throw wrong(`watermarks.${table}`, 'the name of a column');
      return [table, column];
    }),
  );
}

function readPullConnections(read: SettingsReader, settings: Settings): number {
  const connections = read.count(read.group(settings, 'pull') ?? {}, 'connections', 'pull.') ?? 2;
  if (connections > 2) throw read.wrong('pull.connections', '1 or 2');
  return connections;
}

function neededSchemas(value: unknown, wrong: Wrong): readonly string[] {
  const schemas = readSchemas(value);
  if (!schemas) throw wrong('schemas', 'a list of schema names');
  return schemas;
}

/** The value of `schemas`; undefined for an invalid one. */
export function readSchemas(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return ['public'];
  const schemas: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (schemas.length === 0 || !schemas.every((schema) => typeof schema === 'string' && schema !== '')) return undefined;
  return [...new Set(schemas as readonly string[])];
}
