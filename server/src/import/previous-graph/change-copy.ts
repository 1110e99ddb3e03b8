import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { StepReport } from '../../../../protocol/import-progress.ts';
import type { BuildSource } from '../build/build-source.ts';
import type { GraphShape } from '../build/rows.ts';
import { countStartsSql, createStartsSql, updateValuesSql } from './changed-properties.ts';
import type { ChangedElement } from './compare-with-cached.ts';
import {
  attachCopySql,
  attachGraphSql,
  blocksOfCopySql,
  closeCopySql,
  detachGraphSql,
  dropRewrittenSql,
  readTablesSql,
  runOfCopySql,
} from './graph-copy.ts';
import { copyStore, isAsPublished } from './previous-graph-file.ts';
import { type Refusal, type ReuseWork, counts, query, run } from './reuse-work.ts';
import { freeBlocksReason } from './rebuild-reason.ts';

/** The number of rows that each step of the previous import created, by the name of the step. */
export type MadeRows = ReadonlyMap<string, number>;

/** The tables of a reused graph. */
export interface MadeTables {
  readonly rows: MadeRows;
  /** The names of steps whose tables are missing and have to be built, because elements have new rows. */
  readonly builtAnew: ReadonlySet<string>;
}

/** Which file is at the path of the store. */
export interface StorePlace {
  /** The empty store is closed, and the copy takes its place. */
  isOfCopy: boolean;
}

/** The file of the copy, until it replaces the store. */
export function copyPath({ job: { folder } }: ReuseWork): string {
  return join(folder.path, 'graph_copy.duckdb');
}

/** Attaches a copy of the published store beside the empty one. @returns the rows of its tables, as its import says */
export async function openCopy(work: ReuseWork): Promise<{ readonly rows: MadeRows } | Refusal> {
  const { previousGraph } = work.job;
  if (typeof previousGraph !== 'object') throw new Error('There is no graph.');
  await copyStore(previousGraph, copyPath(work));
  if (!(await isAsPublished(previousGraph))) throw new Error('The graph has changed while it was copied.');
  await run(work, attachCopySql(copyPath(work)));
  const [record] = await query(work, runOfCopySql);
  if (record?.['id'] !== previousGraph.run) throw new Error('The graph is that of another import.');
  const blocksOf = await counts(work, blocksOfCopySql);
  const reason = freeBlocksReason({
    total: blocksOf('total_blocks'),
    free: blocksOf('free_blocks'),
    size: blocksOf('block_size'),
  });
  if (reason !== undefined) return { reason };
  const steps = JSON.parse(String(record['steps'])) as readonly StepReport[];
  const made = new Map(steps.flatMap(({ name, rows }) => (rows === undefined ? [] : [[name, rows]])));
  return { rows: made };
}

/**
 * Reads each table of the copy that stays. Rejects if that fails, or if a table has another number of rows than its run
 * record says.
 * @param dropped names of steps whose tables are built anew
 */
export async function readCopy(
  work: ReuseWork,
  source: BuildSource,
  made: MadeRows,
  dropped: ReadonlySet<string>,
): Promise<void> {
  for (const { name, sql } of readTablesSql(source)) {
    if (dropped.has(name)) continue;
    const [rows, before] = [(await counts(work, sql))('rows'), made.get(name)];
    if (before !== undefined && rows !== before) throw new Error(`${name} has ${rows} rows instead of ${before}.`);
  }
}

/** Writes the values of changed rows into the copy, and drops the tables that the import writes at its end. */
export async function changeCopy(
  work: ReuseWork,
  changed: readonly ChangedElement[],
  shape: GraphShape,
): Promise<void> {
  for (const each of changed) await writeValues(work, each, shape);
  for (const sql of dropRewrittenSql) await run(work, sql);
}

async function writeValues(work: ReuseWork, { element, changes }: ChangedElement, shape: GraphShape): Promise<void> {
  const updates = updateValuesSql(element, shape, changes.columns);
  if (updates.length === 0) return;
  for (const sql of createStartsSql(element, shape)) await run(work, sql);
  const starts = await counts(work, countStartsSql(element));
  const [alone, changed] = [starts('alone'), starts('changed')];
  if (alone > 0) throw new Error(`${alone} events of the graph are not those of the rows.`);
  for (const update of updates) {
    const written = await run(work, update);
    if (written !== changed) throw new Error(`${written} rows of properties were written instead of ${changed}.`);
  }
}

/** Replaces the empty store by the complete copy. */
export async function takePlace(work: ReuseWork, place: StorePlace): Promise<void> {
  const { store } = work.job.folder;
  for (const sql of closeCopySql) await run(work, sql);
  place.isOfCopy = true;
  await run(work, detachGraphSql);
  await rename(copyPath(work), store);
  await run(work, attachGraphSql(store));
}
