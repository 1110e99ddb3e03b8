import { createHash } from 'node:crypto';
import type { CompiledQuery, PlanStatement } from '../../query/compiled-query.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { FileSource } from './file-source.ts';
import { type InspectedFile, filesOnDisk } from './inspected-file.ts';
import { neededFiles } from './views.ts';

/**
 * Equal in two imports only if the query returns equal rows: derived from the state of its files and their format
 * options. Undefined if unknown. Rejects with a `SourceError` for a missing or unreadable file.
 */
export async function fileFingerprint(
  source: FileSource,
  query: CompiledQuery,
  staging: StagingDatabase,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const files = await neededFiles(source, query, signal);
  const states = filesOnDisk(files).map(fileState);
  if (states.includes(undefined) || !(await isSteady(query, staging))) return undefined;
  return createHash('sha256').update(JSON.stringify(states)).digest('hex');
}

/** Milliseconds. File systems with a resolution of one or two seconds hide a second change within it. */
const coarseTime = 3_000;

/**
 * A text that is equal only for a file with equal content that is read in the same way. Undefined if a change could go
 * unnoticed.
 */
export function fileState(file: InspectedFile): unknown {
  const { path, plan, table, folderColumns, size, modified, changed, inode, warnings } = file;
  const isCoarse = modified % 1000 === 0 && Date.now() - modified < coarseTime;
  if (isCoarse) return undefined;
  return [path, plan, ...(table ? [table] : []), folderColumns, size, modified, changed, inode, warnings];
}

/**
 * Words whose results change over time (`age` with one argument depends on today), or that hide table names from
 * DuckDB's parser (`WITH`).
 */
const unsteadyWords = /^(age|current_\w+|localtime|localtimestamp|now|today|tablesample|sample|user|with)$/i;

/** The statements of `fileFingerprint`; most queries need none. */
export function fingerprintSteps(queries: readonly CompiledQuery[]): readonly PlanStatement[] {
  const statements = new Set(queries.flatMap((query) => unsteadyFunctionsSql(functionsOf(query)) ?? []));
  return [...statements].map((sql) => ({ title: 'Functions that could give something else each time', sql }));
}

/** The function names in a query; undefined when its words already show that results may vary. */
function functionsOf({ sql }: CompiledQuery): readonly string[] | undefined {
  const tokens = sqlTokens(sql).filter(({ kind }) => kind !== 'comment');
  const isCall = (index: number): boolean => tokens[index + 1]?.text === '(';
  const isUnsteady = tokens.some(
    ({ kind, text }, index) => (kind === 'word' || (kind === 'quoted' && isCall(index))) && unsteadyWords.test(text),
  );
  if (isUnsteady) return undefined;
  return tokens.flatMap(({ kind, text }, index) =>
    (kind === 'word' || kind === 'quoted') && isCall(index) ? [text.toLowerCase()] : [],
  );
}

function unsteadyFunctionsSql(called: readonly string[] | undefined): string | undefined {
  if (called === undefined || called.length === 0) return undefined;
  const list = called.map((name) => embeddedLiteral(name)).join(', ');
  return `SELECT count(*) AS unsteady FROM duckdb_functions() WHERE function_name IN (${list})
     AND (function_type NOT IN ('scalar', 'aggregate') OR stability IS DISTINCT FROM 'CONSISTENT')`;
}

/** Whether a query reads its data objects only, and calls deterministic functions only. */
export async function isSteady(query: CompiledQuery, staging: StagingDatabase): Promise<boolean> {
  const called = functionsOf(query);
  if (called === undefined) return false;
  const { names, isQualified } = await staging.namedTables(query.sql);
  // SQL may name a file by its path, and an earlier staging table by its name.
  const known = new Set(query.dataObjects.map((name) => name.toLowerCase()));
  if (isQualified || names.length === 0 || names.some((name) => !known.has(name.toLowerCase()))) return false;
  const sql = unsteadyFunctionsSql(called);
  if (sql === undefined) return true;
  const [row] = await staging.query(sql);
  return Number(row?.['unsteady']) === 0;
}
