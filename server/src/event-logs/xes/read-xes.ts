import { join } from 'node:path';
import type { SaxesTagPlain } from 'saxes';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { type LineFile, createLineFile } from '../line-file.ts';
import { readXmlFile } from '../xml-file.ts';
import { type XesNotes, createXesLog } from './xes-log.ts';
import { type XesTable, xesTables } from './xes-tables.ts';

/** Reads an XES file into `xesTables` of an empty database, through temporary files in `folder`. Rejects with `CheckError`. */
export async function readXesLog(
  path: string,
  database: DuckDbSession,
  folder: string,
  signal: AbortSignal,
): Promise<XesNotes> {
  const files = new Map<XesTable, LineFile>();
  for (const table of Object.keys(xesTables) as XesTable[]) {
    files.set(table, await createLineFile(join(folder, `${table}.ndjson`)));
  }
  const log = createXesLog();
  const flush = async (): Promise<void> => {
    const lines = log.takeLines();
    for (const [table, file] of files) await file.writeAll(lines[table]);
  };
  const open = (tag: SaxesTagPlain, line: number): void => log.open(tag, line);
  await readXmlFile(path, { open, close: () => log.close(), flush }, signal);
  for (const [table, file] of files) {
    await file.close();
    const columns = Object.entries(xesTables[table]).map(([name, type]) => `${name}: '${type}'`);
    await database.run(`CREATE TABLE ${table} AS FROM ${file.readSql(`{${columns.join(', ')}}`)}`, { signal });
    await file.remove();
  }
  return log.notes();
}
