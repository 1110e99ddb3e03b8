import { createHash } from 'node:crypto';
import type { CompiledQuery, PlanStatement } from '../../query/compiled-query.ts';
import { quoteLiteral } from '../../query/quote.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { FileSource } from './file-source.ts';
import type { InspectedFile } from './inspected-file.ts';
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
  const states = files.map(fileState);
  if (states.includes(undefined) || !(await isSteady(query, staging))) return undefined;
  return createHash('sha256').update(JSON.stringify(states)).digest('hex');
}

/** Milliseconds. File systems that count in seconds, or in two, do not show a second change within them. */
const coarseTime = 3_000;

function fileState({ path, plan, size, modified, changed, inode, warnings }: InspectedFile): unknown {
  const isCoarse = modified % 1000 === 0 && Date.now() - modified < coarseTime;
  return isCoarse ? undefined : [path, plan, size, modified, changed, inode, warnings];
}

/**
 * Words that give other rows another time (`age` of one time counts from today), or hide from DuckDB's parser which tables are read (`WITH`).
 */
const unsteadyWords = /^(age|current_\w+|localtime|localtimestamp|now|today|tablesample|sample|user|with)$/i;

/** The statements of `fileFingerprint`; most queries need none, as what is known of their files is enough. */
export function fingerprintSteps(queries: readonly CompiledQuery[]): readonly PlanStatement[] {
  const statements = new Set(queries.flatMap((query) => unsteadyFunctionsSql(functionsOf(query)) ?? []));
  return [...statements].map((sql) => ({ title: 'Functions that could give something else each time', sql }));
}

/** The names in front of parentheses; undefined when other words tell already that the query may give other rows each time. */
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
  const list = called.map((name) => quoteLiteral(name, 'duckdb')).join(', ');
  return `SELECT count(*) AS unsteady FROM duckdb_functions() WHERE function_name IN (${list})
     AND (function_type NOT IN ('scalar', 'aggregate') OR stability IS DISTINCT FROM 'CONSISTENT')`;
}

/** Whether a query reads nothing but its data objects, and calls only what gives equal results for equal rows. */
async function isSteady(query: CompiledQuery, staging: StagingDatabase): Promise<boolean> {
  const called = functionsOf(query);
  if (called === undefined) return false;
  const { names, isQualified } = await staging.namedTables(query.sql);
  // A file can be named by its path, and a table that was staged before by its name.
  const known = new Set(query.dataObjects.map((name) => name.toLowerCase()));
  if (isQualified || names.length === 0 || names.some((name) => !known.has(name.toLowerCase()))) return false;
  const sql = unsteadyFunctionsSql(called);
  if (sql === undefined) return true;
  const [row] = await staging.query(sql);
  return Number(row?.['unsteady']) === 0;
}
