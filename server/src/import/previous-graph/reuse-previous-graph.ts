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
import { type ChangedElement, compareRows, tiedEventsReason } from './compare-with-cached.ts';
import { type FoundChanges, createNoneAddedSql } from './compared-rows.ts';
import { extendCopy, extensionObstacle } from './extend-copy.ts';
import { detachCopyIfAttachedSql, detachGraphIfAttachedSql } from './graph-copy.ts';
import { factsOf } from './known-facts.ts';
import { type ExtendedElement, extendedElement } from './new-rows.ts';
import { mapRebuildReason } from './extend-map.ts';
import { type Refusal, type ReuseWork, query, run } from './reuse-work.ts';
import { dropScratchSql, newRelations, scratchRelationsSql } from './scratch-relations.ts';
import { builtAnewSteps } from './tables-of-new-rows.ts';
import { type PreviousGraphFacts, failedReuseReason, rebuildReason } from './rebuild-reason.ts';

/** Whether the graph of the previous import is reused. */
export type Reuse = ReusedGraph | BuiltAnew;

export interface ReusedGraph {
  /** A copy of the previous graph has replaced the empty store, and has the values of the staged rows. */
  readonly isReused: true;
  /** Rows with new values, and new ones. */
  readonly changedRows: number;
  /** The reason, for users, why new rows have directly-follows and the process map built anew. */
  readonly mapRebuildReason: string | undefined;
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
  readonly reason: string;
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
  const reason = rebuildReason(facts);
  if (reason !== undefined) return { isReused: false, reason };
  const before = await query(work, scratchRelationsSql);
  const place: StorePlace = { isOfCopy: false };
  const undo = (error: unknown) => buildAnew(work, before, place, failedReuseReason(messageOf(error)));
  try {
    const used = await useGraph(work, facts, place);
    if ('reason' in used) return await buildAnew(work, before, place, used.reason);
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
  if ('reason' in found) return found;
  const addedTo = (element: StagedElement): FoundChanges | undefined => {
    const changes = found.get(element.plan.table);
    return changes && changes.added > 0 ? changes : undefined;
  };
  for (const sql of createRowViewsSql(elements, shape, (each) => addedTo(each) !== undefined)) await run(work, sql);
  const changed = elements.flatMap((element): readonly ChangedElement[] => {
    const changes = found.get(element.plan.table);
    return changes && changes.changed > 0 ? [{ element, changes }] : [];
  });
  const reason = await tiedEventsReason(work, changed, shape);
  if (reason !== undefined) return { reason };
  const hasNewRows = elements.some((element) => addedTo(element) !== undefined);
  const extended = hasNewRows ? await extendedElements(work, addedTo) : [];
  const copy = await openCopy(work);
  if ('reason' in copy) return copy;
  const obstacle = hasNewRows ? await extensionObstacle(work, extended, source) : undefined;
  if (obstacle !== undefined) return { reason: obstacle };
  const dropped = hasNewRows
    ? builtAnewSteps(source, mapRebuildReason(source) !== undefined).map(({ name }) => name)
    : [];
  await readCopy(work, source, copy.rows, new Set(dropped));
  await changeCopy(work, changed, shape);
  const changedCopy = hasNewRows
    ? await extendCopy(work, extended, source)
    : { ...copy, builtAnew: new Set<string>(), mapRebuildReason: undefined };
  if ('reason' in changedCopy) return changedCopy;
  await takePlace(work, place);
  await run(work, createRankedViewSql(elements, shape));
  const changedRows = [...found.values()].reduce((sum, each) => sum + each.changed + each.added, 0);
  const { mapRebuildReason: reasonOfMap, ...made } = changedCopy;
  return { changedRows, mapRebuildReason: reasonOfMap, made };
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
  reason: string,
): Promise<BuiltAnew> {
  const { store } = work.job.folder;
  try {
    for (const each of newRelations(before, await query(work, scratchRelationsSql)))
      await run(work, dropScratchSql(each));
    await run(work, detachCopyIfAttachedSql);
    await rm(copyPath(work), { force: true });
    if (place.isOfCopy) {
      await run(work, detachGraphIfAttachedSql);
      await rm(store, { force: true });
      for (const sql of attachStoreSql(duckdbBuild, store)) await run(work, sql);
    }
    return { isReused: false, reason };
  } catch (error) {
    work.job.signal.throwIfAborted();
    throw new PreviousGraphFailure(reason, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
