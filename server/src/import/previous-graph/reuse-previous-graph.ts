import { rm } from 'node:fs/promises';
import { duckdbBuild } from '../build/build-dialect.ts';
import type { BuildSource } from '../build/build-source.ts';
import { graphShape } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import { attachStoreSql } from '../build/staging-steps.ts';
import { commonRows } from '../import-source.ts';
import {
  type MadeTables,
  type StorePlace,
  changeCopy,
  copyPath,
  openCopy,
  readCopy,
  takePlace,
} from './change-copy.ts';
import { createRankedViewSql, createRowViewsSql } from './changed-properties.ts';
import { type ChangedElement, compareRows, whyTied } from './compare-with-cached.ts';
import { type FoundChanges, createNoneAddedSql } from './compared-rows.ts';
import { extendCopy, whyNotPut } from './extend-copy.ts';
import { closeCopyAnywaySql, closeGraphAnywaySql } from './graph-copy.ts';
import { factsOf } from './known-facts.ts';
import { type ExtendedElement, extendedElement } from './new-rows.ts';
import { whyMapBuiltAnew } from './extend-map.ts';
import { type Refusal, type ReuseWork, query, run } from './reuse-work.ts';
import { dropScratchSql, newRelations, scratchRelationsSql } from './scratch-relations.ts';
import { builtAnewSteps } from './tables-of-new-rows.ts';
import { type PreviousGraphFacts, whyBuiltAnew, whyUnusable } from './why-built-anew.ts';

/** Whether the graph of the previous import is reused. */
export type Reuse = ReusedGraph | BuiltAnew;

export interface ReusedGraph {
  /** A copy of the previous graph has replaced the empty store, and has the values of the staged rows. */
  readonly isReused: true;
  /** Rows with new values, and new ones. */
  readonly changedRows: number;
  /** The reason, for users, why new rows have directly-follows and the process map built anew. */
  readonly whyMapAnew: string | undefined;
  readonly made: MadeTables;
  /**
   * Replaces the copy by an empty store. Rejects with a `PreviousGraphFailure`. @param reason why the copy cannot be
   * used
   */
  undo(reason: unknown): Promise<BuiltAnew>;
}

export interface BuiltAnew {
  /** The store is empty, and the staged rows are unchanged. */
  readonly isReused: false;
  /** The reason, for users. */
  readonly why: string;
}

/** Thrown when the graph of the previous import cannot be used, nor the staged rows built anew. */
export class PreviousGraphFailure extends Error {}

/**
 * Reuses the graph of the previous import if it is proven to differ from that of the staged rows in property values and
 * new rows only. These are written into a copy, which replaces the empty store once complete. A failure leaves the
 * staged rows and an empty store, so that the graph is built anew. Rejects with a `PreviousGraphFailure`, or with the
 * reason of the signal.
 */
export async function reusePreviousGraph(work: ReuseWork): Promise<Reuse> {
  const facts = await factsOf(work);
  const why = whyBuiltAnew(facts);
  if (why !== undefined) return { isReused: false, why };
  const before = await query(work, scratchRelationsSql);
  const place: StorePlace = { isOfCopy: false };
  const undo = (reason: unknown) => buildAnew(work, before, place, whyUnusable(messageOf(reason)));
  try {
    const used = await useGraph(work, facts, place);
    if ('why' in used) return await buildAnew(work, before, place, used.why);
    return { isReused: true, ...used, undo };
  } catch (error) {
    work.job.signal.throwIfAborted();
    if (error instanceof PreviousGraphFailure) throw error;
    return undo(error);
  }
}

async function useGraph(
  work: ReuseWork,
  { staged }: PreviousGraphFacts,
  place: StorePlace,
): Promise<Omit<ReusedGraph, 'isReused' | 'undo'> | Refusal> {
  const { elements } = work.pulled;
  const source: BuildSource = {
    ...work.pulled,
    paths: work.job.plan.paths,
    dialect: duckdbBuild,
    ...commonRows(work.job.sources),
  };
  const shape = graphShape(elements, source);
  const found = await compareRows(work, staged);
  if ('why' in found) return found;
  const addedTo = (element: StagedElement): FoundChanges | undefined => {
    const changes = found.get(element.plan.table);
    return changes && changes.added > 0 ? changes : undefined;
  };
  for (const sql of createRowViewsSql(elements, shape, (each) => addedTo(each) !== undefined)) await run(work, sql);
  const changed = elements.flatMap((element): readonly ChangedElement[] => {
    const changes = found.get(element.plan.table);
    return changes && changes.changed > 0 ? [{ element, changes }] : [];
  });
  const why = await whyTied(work, changed, shape);
  if (why !== undefined) return { why };
  const hasNewRows = elements.some((element) => addedTo(element) !== undefined);
  const extended = hasNewRows ? await extendedElements(work, addedTo) : [];
  const copy = await openCopy(work);
  if ('why' in copy) return copy;
  const whyNot = hasNewRows ? await whyNotPut(work, extended, source) : undefined;
  if (whyNot !== undefined) return { why: whyNot };
  const whyMapAnew = hasNewRows ? whyMapBuiltAnew(source) : undefined;
  const dropped = hasNewRows ? builtAnewSteps(source, whyMapAnew !== undefined).map(({ name }) => name) : [];
  await readCopy(work, source, copy.rows, new Set(dropped));
  await changeCopy(work, changed, shape);
  const changedCopy = hasNewRows
    ? await extendCopy(work, extended, source, whyMapAnew)
    : { ...copy, builtAnew: new Set<string>(), whyMapAnew };
  if ('why' in changedCopy) return changedCopy;
  await takePlace(work, place);
  await run(work, createRankedViewSql(elements, shape));
  const changedRows = [...found.values()].reduce((sum, each) => sum + each.changed + each.added, 0);
  const { rows, builtAnew } = changedCopy;
  return { changedRows, whyMapAnew: changedCopy.whyMapAnew, made: { rows, builtAnew } };
}

/** All elements: the statements are the same, whichever of them have new rows. */
async function extendedElements(
  work: ReuseWork,
  addedTo: (element: StagedElement) => FoundChanges | undefined,
): Promise<readonly ExtendedElement[]> {
  const extended: ExtendedElement[] = [];
  for (const element of work.pulled.elements) {
    const changes = addedTo(element);
    if (!changes) await run(work, createNoneAddedSql(element.plan.table));
    extended.push(extendedElement(element, changes?.firstAdded ?? element.rows));
  }
  return extended;
}

/** Restores the staged rows and an empty store. Rejects with a `PreviousGraphFailure`. */
async function buildAnew(
  work: ReuseWork,
  before: readonly Readonly<Record<string, unknown>>[],
  place: StorePlace,
  why: string,
): Promise<BuiltAnew> {
  const { store } = work.job.folder;
  try {
    for (const each of newRelations(before, await query(work, scratchRelationsSql)))
      await run(work, dropScratchSql(each));
    await run(work, closeCopyAnywaySql);
    await rm(copyPath(work), { force: true });
    if (place.isOfCopy) {
      await run(work, closeGraphAnywaySql);
      await rm(store, { force: true });
      for (const sql of attachStoreSql(duckdbBuild, store)) await run(work, sql);
    }
    return { isReused: false, why };
  } catch (error) {
    work.job.signal.throwIfAborted();
    throw new PreviousGraphFailure(why, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
