import { createHash } from 'node:crypto';
import type { CompiledQuery, ElementQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { countSql } from '../embedded/load-sql.ts';
import type { CachedRows, LoadOptions, LoadResult } from '../load-result.ts';
import type { FileSource } from './file-source.ts';
import { dropCopy, takeCopy } from '../cached-copy.ts';
import { fileState, isSteady } from './fingerprint.ts';
import type { InspectedFile } from './inspected-file.ts';

interface PartsToStage {
  readonly staging: StagingDatabase;
  readonly table: string;
  /** In the order of their rows. */
  readonly parts: readonly InspectedFile[];
  readonly cached: CachedRows | undefined;
  readonly onRows: LoadOptions['onRows'];
  readonly signal: AbortSignal | undefined;
  /** Appends the rows of one part to the table. @param isFirst the table does not exist yet */
  read(part: InspectedFile, isFirst: boolean): Promise<void>;
}

/** The parts that a staged table was read from, in the order of their rows. */
type Marks = readonly PartMark[];

interface PartMark {
  /** Hash of the state of the file; null if it could not reveal a later change. */
  readonly state: string | null;
  /** Rows of the table that come from it. */
  readonly rows: number;
}

/**
 * Stages the rows of a data object part by part: unchanged files from cached rows, all others from their files. The table
 * equals that of a load of all parts.
 */
export async function stageParts(stage: PartsToStage): Promise<StagedParts> {
  const { parts, cached } = stage;
  const states = parts.map(stateOf);
  const marks = cached ? (JSON.parse(cached.marks) as Marks) : [];
  const runs = runsOf(states, rangesOf(marks), await keepsOrder(stage.staging));
  const isExtended = isWhole(runs[0], marks);
  if (cached?.copy !== undefined && !isExtended) await dropCopy(stage.staging, cached.copy);
  try {
    return await stageRuns(
      { ...stage, cached: isExtended ? cached : cached && { ...cached, copy: undefined } },
      states,
      runs,
    );
  } catch (error) {
    if (!(error instanceof DamagedRows)) throw error;
    await stage.staging.run(`DROP TABLE IF EXISTS ${quoteIdentifier(stage.table)}`);
    return stageRuns(stage, states, runsOf(states, new Map(), true));
  }
}

type StagedParts = Pick<LoadResult, 'sourceRows' | 'marks' | 'cachedRows'>;

/** Rows of a cached table by position: `from` inclusive, `to` exclusive. */
interface RowRange {
  readonly from: number;
  readonly to: number;
}

function rangesOf(marks: Marks): Map<string, RowRange> {
  const ranges = new Map<string, RowRange>();
  let from = 0;
  for (const { state, rows } of marks) {
    if (state !== null) ranges.set(state, { from, to: from + rows });
    from += rows;
  }
  return ranges;
}

/** A part to read, or adjacent parts whose rows are adjacent in the cached table as well. */
type Run =
  | { readonly kind: 'read'; readonly part: number }
  | { readonly kind: 'cached'; readonly range: RowRange; readonly rows: readonly number[] };

/** @param isOrdered whether a statement copies rows in order. If not, each part needs a statement of its own. */
function runsOf(
  states: readonly (string | null)[],
  old: ReadonlyMap<string, RowRange>,
  isOrdered: boolean,
): readonly Run[] {
  const runs: Run[] = [];
  states.forEach((state, part) => {
    const range = state === null ? undefined : old.get(state);
    const last = runs.at(-1);
    if (!range) runs.push({ kind: 'read', part });
    else if (isOrdered && last?.kind === 'cached' && last.range.to === range.from) {
      const rows = [...last.rows, range.to - range.from];
      runs[runs.length - 1] = { kind: 'cached', range: { from: last.range.from, to: range.to }, rows };
    } else runs.push({ kind: 'cached', range, rows: [range.to - range.from] });
  });
  return runs;
}

/** Whether the staged rows begin with all cached ones. */
function isWhole(first: Run | undefined, marks: Marks): boolean {
  const cachedRows = marks.reduce((sum, { rows }) => sum + rows, 0);
  return first?.kind === 'cached' && first.range.from === 0 && first.range.to === cachedRows;
}

/** In graphs of several data sources, rows may be staged in any order. */
async function keepsOrder(staging: StagingDatabase): Promise<boolean> {
  const [row] = await staging.query("SELECT current_setting('preserve_insertion_order') AS kept");
  return row?.['kept'] === true;
}

/** The row cache cannot be read, or lacks rows. */
class DamagedRows extends Error {}

async function stageRuns(
  { staging, table, parts, cached, onRows, signal, read }: PartsToStage,
  states: readonly (string | null)[],
  runs: readonly Run[],
): Promise<StagedParts> {
  const marks: PartMark[] = [];
  let sourceRows = 0;
  let cachedRows = 0;
  for (const [index, run] of runs.entries()) {
    if (run.kind === 'read') {
      const part = parts[run.part];
      if (part) await read(part, index === 0);
    } else if (cached) await takeRows({ staging, signal }, cached, table, run.range, index === 0);
    const [count] = await staging.query(countSql(table));
    const rows = Number(count?.['rows']) - sourceRows;
    sourceRows += rows;
    if (run.kind === 'read') marks.push({ state: states[run.part] ?? null, rows });
    else {
      if (rows !== run.range.to - run.range.from) throw new DamagedRows();
      cachedRows += rows;
      for (const each of run.rows) marks.push({ state: states[marks.length] ?? null, rows: each });
    }
    onRows?.(sourceRows);
  }
  return { sourceRows, marks: JSON.stringify(marks), ...(cachedRows > 0 && { cachedRows }) };
}

async function takeRows(
  { staging, signal }: Pick<PartsToStage, 'staging' | 'signal'>,
  cached: CachedRows,
  table: string,
  { from, to }: RowRange,
  isFirst: boolean,
): Promise<void> {
  if (isFirst && cached.copy !== undefined) {
    if ((await takeCopy(staging, cached.copy, table, { signal })) !== undefined) return;
  }
  const into = isFirst ? `CREATE TABLE ${quoteIdentifier(table)} AS` : `INSERT INTO ${quoteIdentifier(table)}`;
  const sql = `${into} SELECT * FROM ${cached.table} WHERE rowid >= ${from} AND rowid < ${to}`;
  try {
    await staging.run(sql, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new DamagedRows(undefined, { cause: error });
  }
}

function stateOf(part: InspectedFile): string | null {
  const state = fileState(part);
  return state === undefined ? null : createHash('sha256').update(JSON.stringify(state)).digest('hex');
}

/**
 * Whether each part of a data object can be staged separately: each row of the query comes from one row of a file, in
 * the order of the files.
 */
export async function isOfParts(source: FileSource, query: CompiledQuery, staging: StagingDatabase): Promise<boolean> {
  const [name, ...others] = query.dataObjects;
  if (name === undefined || others.length > 0 || !('roles' in query)) return false;
  // Joins and subqueries, with which rows need a number to keep their order.
  if ((query as ElementQuery).roles.rowOrder !== undefined) return false;
  const isInParts = (await source.list()).some((file) => file.name === name && file.parts);
  return isInParts && isMadeOfSingleRows(query) && (await isSteady(query, staging));
}

/** Words of queries whose rows combine several rows, or depend on other rows. */
const severalRows =
  /^(over|group|having|distinct|order|limit|offset|union|intersect|except|join|qualify|unnest|window|pivot|pivot_wider|unpivot|pivot_longer|lateral|table|values|describe|desc|show|summarize)$/i;

/** Whether a query reads its data object once and makes each row from one of its rows. False if that is uncertain. */
function isMadeOfSingleRows({ sql }: CompiledQuery): boolean {
  const words = sqlTokens(sql).flatMap(({ kind, text }) => (kind === 'word' ? [text.toLowerCase()] : []));
  const isOnce = (word: string): boolean => words.indexOf(word) === words.lastIndexOf(word);
  // A subquery of DuckDB may have a FROM without a SELECT.
  return isOnce('select') && isOnce('from') && !words.some((word) => severalRows.test(word));
}
