import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { FileSource } from './file-source.ts';
import type { InspectedFile } from './inspect-file.ts';
import { neededFiles } from './views.ts';

/**
 * Equal in two imports only when the query gives equal rows in both: the state of its files and how they are read. Undefined where that cannot
 * be said. Rejects with a `SourceError` when a file is missing or cannot be read.
 */
export async function fileFingerprint(
  source: FileSource,
  query: CompiledQuery,
  staging: StagingDatabase,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const files = await neededFiles(source, query, signal);
  const states = await Promise.all(files.map(fileState));
  if (states.includes(undefined) || !(await isSteady(query.sql, staging))) return undefined;
  return createHash('sha256').update(JSON.stringify(states)).digest('hex');
}

/** Milliseconds. File systems that count in seconds, or in two, do not show a second change within them. */
const coarseTime = 3_000;

async function fileState({ path, plan, size, modified }: InspectedFile): Promise<unknown> {
  const now = await stat(path).catch(() => undefined);
  const isCoarse = modified % 1000 === 0 && Date.now() - modified < coarseTime;
  if (!now || now.size !== size || now.mtimeMs !== modified || isCoarse) return undefined;
  return [path, plan, size, modified, now.ctimeMs, now.ino];
}

/** Words that are no calls and still give other rows another time, or rows of something else than the named files. */
const unsteadyWords = /^(current_\w+|localtime|localtimestamp|now|today|tablesample|sample|user)$/i;

/** Whether SQL reads nothing but its tables, and calls only what gives equal results for equal rows. */
async function isSteady(sql: string, staging: StagingDatabase): Promise<boolean> {
  const tokens = sqlTokens(sql).filter(({ kind }) => kind !== 'comment');
  if (tokens.some(({ kind, text }) => kind === 'word' && unsteadyWords.test(text))) return false;
  // A table that is named by a literal is a file.
  const readsPath = tokens.some(
    ({ kind }, index) => kind === 'literal' && /^(from|join|,)$/i.test(tokens[index - 1]?.text ?? ''),
  );
  const called = tokens.flatMap(({ kind, text }, index) =>
    (kind === 'word' || kind === 'quoted') && tokens[index + 1]?.text === '(' ? [text.toLowerCase()] : [],
  );
  if (called.length === 0 && !readsPath) return true;
  const names = called.map((name) => `'${name.replaceAll("'", "''")}'`).join(', ');
  const [row] = await staging.query(
    `SELECT count(*) AS unsteady FROM duckdb_functions() WHERE function_name IN (${names || 'NULL'})
     AND (function_type NOT IN ('scalar', 'aggregate') OR stability IS DISTINCT FROM 'CONSISTENT')`,
  );
  return Number(row?.['unsteady']) === 0;
}
