import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invariantsOf } from '../graph-schema/invariants.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import { openStore } from '../store/duckdb-store.ts';
import { CheckError } from '../event-logs/check-error.ts';
import { firstBytes } from '../event-logs/log-bytes.ts';
import { type CheckResult, runLogChecks } from '../event-logs/log-check.ts';
import { logChecks } from '../event-logs/ocel/log-checks.ts';
import { createLogDatabase } from '../event-logs/ocel/log-tables.ts';
import {
  type OcelForm,
  isOcelOne,
  ocelFormOf,
  ocelOneRemedy,
  ocelReaders,
  tellingBytes,
} from '../event-logs/ocel/read-log.ts';

type CheckedForm = 'store' | OcelForm;

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
    return await runLogChecks(store, points, signal);
  } finally {
    await store.close();
  }
}

async function checkLog(
  path: string,
  form: OcelForm,
  folder: string,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const database = await createLogDatabase(folder);
  try {
    const { results, read, times } = await ocelReaders[form](path, database, folder, signal);
    return read ? [...results, ...(await runLogChecks(database, logChecks(times), signal))] : results;
  } finally {
    await database.close();
  }
}

/** Detects the format from the first bytes. Rejects with `unknown-form`. */
async function formOf(path: string): Promise<CheckedForm> {
  const read = await firstBytes(path, tellingBytes);
  if (read.length === 0) throw new CheckError('unknown-form', `${path} is empty.`, { remedy: 'Export it again.' });
  if (isOcelOne(read)) {
    throw new CheckError('unknown-form', `${path} is a log of OCEL 1.0, and only OCEL 2.0 is checked.`, {
      remedy: ocelOneRemedy,
    });
  }
  const form = read.toString('latin1', 8, 12) === 'DUCK' ? 'store' : ocelFormOf(read);
  if (form) return form;
  throw new CheckError(
    'unknown-form',
    `${path} is neither an entity graph, nor a graph store, nor an OCEL 2.0 file (JSON, XML or SQLite).`,
  );
}
