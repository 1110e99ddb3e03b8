import { join } from 'node:path';
import { type DuckDbSession, openScratch } from '../../store/duckdb-store.ts';
import { createLineFile, type LineFile } from './line-file.ts';

/**
 * A log in tables, whatever file it comes from: `declared_type` (kind, name), `declared_attribute` (kind, type, name,
 * value_type), `event` and `object` (id, type; event: time), `event_object` and `object_object` (source, target, qualifier),
 * `event_value` and `object_value` (owner, name, value; object_value: time). All columns are text, as it was written.
 */
export const logTables = {
  declared_type: ['kind', 'name'],
  declared_attribute: ['kind', 'type', 'name', 'value_type'],
  event: ['id', 'type', 'time'],
  object: ['id', 'type'],
  event_object: ['source', 'target', 'qualifier'],
  object_object: ['source', 'target', 'qualifier'],
  event_value: ['owner', 'name', 'value'],
  object_value: ['owner', 'name', 'value', 'time'],
} as const;

export type LogTable = keyof typeof logTables;

/** An empty database for a log, which spills into `folder`. */
export async function createLogDatabase(folder: string): Promise<DuckDbSession> {
  return openScratch({ temporaryFolder: folder, memoryLimit: '1GB' });
}

/** Rows of the tables on their way into the database: one file of JSON lines a table. */
export interface LogRows {
  /** @param row JSON text of an object with the columns of the table. */
  add(table: LogTable, row: string): Promise<void>;
  /** Creates the tables. Nothing may be added after it. */
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
