import { join } from 'node:path';
import { type DuckDbSession, openScratch } from '../../store/duckdb-store.ts';
import { createLineFile, type LineFile } from '../line-file.ts';

/**
 * An event log in tables, independent of its file format: `declared_type` (kind, name), `declared_attribute` (kind,
 * type, name, value_type), `event` and `object` (id, type; event: time), `event_object` and `object_object` (source,
 * target, qualifier),
 * `event_value` and `object_value` (owner, name, value; object_value: time). All columns contain the original text; rows are in the
 * order of the file. `event_order` is for formats with a separate table for the events of each type.
 */
export const logTables = {
  declared_type: ['kind', 'name'],
  declared_attribute: ['kind', 'type', 'name', 'value_type'],
  event: ['id', 'type', 'time'],
  event_order: ['id'],
  object: ['id', 'type'],
  event_object: ['source', 'target', 'qualifier'],
  object_object: ['source', 'target', 'qualifier'],
  event_value: ['owner', 'name', 'value'],
  object_value: ['owner', 'name', 'value', 'time'],
} as const;

export type LogTable = keyof typeof logTables;

/** Creates an empty database for a log, which spills into `folder`. */
export async function createLogDatabase(folder: string): Promise<DuckDbSession> {
  return openScratch({ temporaryFolder: folder, memoryLimit: '1GB' });
}

/** Writes rows for the tables to one JSON lines file per table. */
export interface LogRows {
  /** @param row JSON text of an object with the columns of the table. */
  add(table: LogTable, row: string): Promise<void>;
  /** Creates the tables from the files; no rows can be added afterwards. */
  load(database: DuckDbSession, signal: AbortSignal): Promise<void>;
}

export async function createLogRows(folder: string): Promise<LogRows> {
  const files = new Map<LogTable, LineFile>();
  for (const table of Object.keys(logTables) as LogTable[]) {
    files.set(table, await createLineFile(join(folder, `${table}.ndjson`)));
  }
  return {
    add: async (table, row) => files.get(table)?.write(row),
    async load(database, signal) {
      for (const [table, file] of files) {
        await file.close();
        const columns = logTables[table].map((name) => `${name}: 'VARCHAR'`).join(', ');
        await database.run(`CREATE TABLE ${table} AS FROM ${file.readSql(`{${columns}}`)}`, { signal });
        await file.remove();
      }
    },
  };
}
