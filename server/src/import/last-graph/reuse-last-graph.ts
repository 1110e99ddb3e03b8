import { rm } from 'node:fs/promises';
import type { StepReport } from '../../../../protocol/import-progress.ts';
import type { BuildDatabase } from '../../store/duckdb-store.ts';
import { duckdbBuild } from '../build/build-dialect.ts';
import { correlatingRelationships, mayCorrelateTwice } from '../build/correlations.ts';
import { mayHaveTies } from '../build/events.ts';
import { type GraphShape, graphShape } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import type { ImportJob } from '../import-job.ts';
import { isWhole } from '../import-slice.ts';
import { commonRows } from '../import-source.ts';
import { plannedPulls } from '../plan-import.ts';
import type { PulledPlan } from '../pull-plan.ts';
import type { RowCache } from '../row-cache.ts';
import {
  countStartsSql,
  countTiesSql,
  createRankedViewSql,
  createRowViewsSql,
  createStartsSql,
  updatePropertiesSql,
} from './changed-properties.ts';
import {
  comparedElement,
  comparedTable,
  comparedRanges,
  countChangedSql,
  createChangedSql,
  findChangedSql,
} from './compared-rows.ts';
import { copyStore, isAsPublished } from './last-graph-file.ts';
import {
  attachLastGraphSql,
  detachStoreSql,
  dropChangedSql,
  dropRowViewSql,
  dropRunSql,
  runOfGraphSql,
} from './last-graph-step.ts';
import { type LastGraphFacts, type StagedFacts, isTaken, whyBuiltAnew, whyNotWritten } from './why-built-anew.ts';

/** The rows of the tables that steps of the previous import made, by the name of the step. */
export type MadeRows = ReadonlyMap<string, number>;

/** What came of the graph of the previous import. */
export type Reuse =
  /** It is in the place of the empty store, and has the values of the staged rows. */
  | { readonly isReused: true; readonly changedRows: number; readonly made: MadeRows }
  /** Why it cannot be used, in words; nothing has changed. */
  | { readonly isReused: false; readonly why: string };

/** Thrown when the graph of the previous import turns out to be unusable only after the build has begun to use it. */
export class LastGraphFailure extends Error {}

export function lastGraphFailure(error: unknown): LastGraphFailure {
  return new LastGraphFailure(error instanceof Error ? error.message : String(error), { cause: error });
}

export interface ReuseWork {
  readonly staging: BuildDatabase;
  readonly job: Pick<ImportJob, 'plan' | 'sources' | 'request' | 'folder' | 'signal' | 'progress' | 'lastGraph'>;
  readonly rows: RowCache;
  readonly pulled: PulledPlan;
  /** See `graphKey`. */
  readonly key: string;
}

/**
 * Uses the graph of the previous import, where it is proven to be that of the staged rows but for values of properties,
 * which are written into it. Rejects with a `LastGraphFailure`, or with the reason of the signal.
 */
export async function reuseLastGraph(work: ReuseWork): Promise<Reuse> {
  const facts = await factsOf(work);
  const why = whyBuiltAnew(facts);
  if (why !== undefined) return { isReused: false, why };
  const { elements } = work.pulled;
  const shape = graphShape(elements, { dialect: duckdbBuild, ...commonRows(work.job.sources) });
  try {
    const compared = facts.staged.filter((each) => !isTaken(each));
    for (const sql of createRowViewsSql(elements, shape)) await run(work, sql);
    const { found, whyNot } = await compareRows(work, compared);
    const changed = elements.filter(({ plan }) => (found.get(plan.table) ?? 0) > 0);
    const reason = whyNot ?? (await whyTied(work, changed, shape));
    if (reason !== undefined) {
      for (const each of compared) await run(work, dropChangedSql(each));
      for (const element of elements) await run(work, dropRowViewSql(element));
      return { isReused: false, why: reason };
    }
    const made = await useCopy(work);
    await run(work, createRankedViewSql(elements, shape));
    for (const element of changed) await writeValues(work, element, shape);
    for (const sql of dropRunSql) await run(work, sql);
    return { isReused: true, changedRows: [...found.values()].reduce((sum, rows) => sum + rows, 0), made };
  } catch (error) {
    work.job.signal.throwIfAborted();
    throw lastGraphFailure(error);
  }
}

async function factsOf({ job, rows, pulled, key }: ReuseWork): Promise<LastGraphFacts> {
  const { plan, sources, request, lastGraph } = job;
  const { elements, relationships } = pulled;
  const { hasRowOrder } = commonRows(sources);
  const published = typeof lastGraph === 'object' && (await isAsPublished(lastGraph)) ? lastGraph : undefined;
  const ofTable = new Map(elements.map((element) => [element.plan.table, element]));
  return {
    isPart: !isWhole(request),
    isFull: request.isFull === true,
    cached: rows.graph,
    published,
    failure: typeof lastGraph === 'string' ? lastGraph : undefined,
    key,
    mayCorrelateTwice: mayCorrelateTwice(correlatingRelationships(relationships, plan.paths), elements),
    joined: plan.relationships.flatMap(({ name, dataSource }) => (dataSource === undefined ? [name] : [])),
    staged: plannedPulls(plan).map(({ name, table }): StagedFacts => {
      const comparison = rows.comparisonOf(table);
      const element = ofTable.get(table);
      const columns = element
        ? comparedElement(element, hasRowOrder)
        : comparedTable({ name, table }, comparison?.now.columns ?? []);
      return {
        ...columns,
        comparison,
        ownEntity: element?.plan.ownEntity ?? true,
        hasJoins: element?.rowOrder !== undefined,
      };
    }),
  };
}

interface ComparedTables {
  /** The number of changed rows of each table, as far as they were compared. */
  readonly found: ReadonlyMap<string, number>;
  /** Why these cannot be written into the graph. */
  readonly whyNot?: string;
}

async function compareRows(work: ReuseWork, compared: readonly StagedFacts[]): Promise<ComparedTables> {
  const found = new Map<string, number>();
  for (const each of compared) {
    const { table, comparison } = each;
    if (!comparison) throw new Error('Rows were not kept.');
    const { kept, now } = comparison;
    await run(work, createChangedSql(each));
    for (const range of comparedRanges(now.sourceRows, now.otherRows)) {
      await run(work, findChangedSql(each, kept, { key: now.otherKey, range }));
      const [row] = await query(work, countChangedSql(each));
      const changes = { changed: Number(row?.['changed']), deciding: Number(row?.['deciding']) };
      const why = whyNotWritten(each, now.sourceRows, changes);
      if (why !== undefined) return { found, whyNot: why };
      found.set(table, changes.changed);
    }
  }
  return { found };
}

/** Where rows have no order, changed values may change that of equal events. */
async function whyTied(
  work: ReuseWork,
  changed: readonly StagedElement[],
  shape: GraphShape,
): Promise<string | undefined> {
  for (const element of changed.filter((each) => mayHaveTies(each, shape))) {
    const [row] = await query(work, countTiesSql(element, shape));
    if (Number(row?.['ties']) > 0)
      return `changed values of "${element.plan.activityName}" decide the order of equal events`;
  }
  return undefined;
}

/** Puts a copy of the published store in the place of the empty one. */
async function useCopy(work: ReuseWork): Promise<MadeRows> {
  const { folder, lastGraph } = work.job;
  if (typeof lastGraph !== 'object') throw new Error('There is no graph.');
  await run(work, detachStoreSql);
  await rm(folder.store, { force: true });
  await copyStore(lastGraph, folder.store);
  if (!(await isAsPublished(lastGraph))) throw new Error('The graph has changed while it was copied.');
  await run(work, attachLastGraphSql(folder.store));
  const [row] = await query(work, runOfGraphSql);
  if (row?.['id'] !== lastGraph.run) throw new Error('The graph is that of another import.');
  const steps = JSON.parse(String(row['steps'])) as readonly StepReport[];
  return new Map(steps.flatMap(({ name, rows }) => (rows === undefined ? [] : [[name, rows]])));
}

async function writeValues(work: ReuseWork, element: StagedElement, shape: GraphShape): Promise<void> {
  const update = updatePropertiesSql(element, shape);
  if (update === undefined) return;
  for (const sql of createStartsSql(element, shape)) await run(work, sql);
  const [row] = await query(work, countStartsSql(element));
  const [alone, changed] = [Number(row?.['alone']), Number(row?.['changed'])];
  if (alone > 0) throw new Error(`${alone} events of the graph are not those of the rows.`);
  const written = await run(work, update);
  if (written !== changed) throw new Error(`${written} rows of properties were written instead of ${changed}.`);
}

function run({ staging, job: { signal } }: ReuseWork, sql: string): Promise<number | undefined> {
  return staging.run(sql, { signal });
}

function query({ staging, job: { signal } }: ReuseWork, sql: string) {
  return staging.query(sql, { signal });
}
