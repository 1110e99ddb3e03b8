import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportForm } from '../../../protocol/event-graph.ts';
import { invariantsOf } from '../graph-schema/invariants.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import { openStore } from '../store/duckdb-store.ts';
import { CheckError } from './check-error.ts';
import { type CheckResult, checkPoints } from './check-point.ts';
import { logPoints } from './ocel/log-points.ts';
import { createLogDatabase } from './ocel/log-tables.ts';
import { readJsonLog } from './ocel/read-json.ts';
import { readSqliteLog } from './ocel/read-sqlite.ts';
import { readXmlLog } from './ocel/read-xml.ts';

type LogForm = Extract<ExportForm, `ocel-${string}`>;
type CheckedForm = 'store' | LogForm;

export interface CheckReport {
  readonly form: CheckedForm;
  readonly results: readonly CheckResult[];
}

/**
 * Checks a graph store or an object-centric event log; its content determines the format. Streams the file; large
 * intermediate data goes to a temporary folder. Rejects with `CheckError`, with `DuckDbError` for a store that cannot
 * be opened, or with the signal's reason.
 */
export async function checkFile(path: string, signal: AbortSignal): Promise<CheckReport> {
  const form = await formOf(path);
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-check-'));
  try {
    return {
      form,
      results: form === 'store' ? await checkStore(path, folder, signal) : await checkLog(path, form, folder, signal),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkStore(path: string, temporaryFolder: string, signal: AbortSignal): Promise<readonly CheckResult[]> {
  const store = await openStore(path, { temporaryFolder, memoryLimit: '1GB' });
  try {
    const points = invariantsOf(await storedTables(store, { signal })).map(({ holds, violations }) => ({
      name: holds,
      sql: violations,
    }));
    return await checkPoints(store, points, signal);
  } finally {
    await store.close();
  }
}

async function checkLog(
  path: string,
  form: LogForm,
  folder: string,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const database = await createLogDatabase(folder);
  try {
    const { results, read, times } = await readers[form](path, database, folder, signal);
    return read ? [...results, ...(await checkPoints(database, logPoints(times), signal))] : results;
  } finally {
    await database.close();
  }
}

interface ReadLog {
  /** Checks of the file format only. */
  readonly results: readonly CheckResult[];
  /** Whether the log is in the database, for the other checks. */
  readonly read: boolean;
  readonly times: Parameters<typeof logPoints>[0];
}

const readers: {
  readonly [Form in LogForm]: (...log: Parameters<typeof readJsonLog>) => Promise<ReadLog>;
} = {
  // RFC 3339, required by the JSON format, needs a zone; XML's dateTime does not.
  'ocel-json': async (...log) => ({ results: await readJsonLog(...log), read: true, times: 'zoned' }),
  'ocel-xml': async (...log) => ({ results: await readXmlLog(...log), read: true, times: 'plain' }),
  'ocel-sqlite': async (...log) => ({ ...(await readSqliteLog(...log)), times: 'plain' }),
};

/** Detects the format from the first bytes. Rejects with `unknown-form`. */
async function formOf(path: string): Promise<CheckedForm> {
  const file = await open(path, 'r');
  const begin = Buffer.alloc(64);
  const { bytesRead } = await file.read(begin, 0, begin.length, 0).finally(() => file.close());
  const text = begin.toString('latin1', 0, bytesRead);
  if (text.startsWith('SQLite format 3\0')) return 'ocel-sqlite';
  if (text.slice(8, 12) === 'DUCK') return 'store';
  const first = text.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (first.startsWith('{')) return 'ocel-json';
  if (first.startsWith('<')) return 'ocel-xml';
  throw new CheckError(
    'unknown-form',
    `${path} is neither an entity graph, nor a graph store, nor an OCEL 2.0 file (JSON, XML or SQLite).`,
  );
}
