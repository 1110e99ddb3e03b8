import {
  type ElementCounts,
  importSteps,
  type ImportStep,
  type KeptExpectation,
  type RelationshipCounts,
} from '../../../protocol/import-progress.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { KeptRowsView } from '../../../protocol/kept-rows.ts';
import type { MeasureResult } from '../../../protocol/measures.ts';
import type { BrokenGuard, Failure } from '../../../protocol/query-results.ts';
import type { RuleResult } from '../../../protocol/process-rules.ts';

/** The persistent state of an entity graph: the content of its status file. */
export interface EntityStatus {
  readonly version: 1;
  readonly status: 'Not Imported' | 'Imported';
  /** The phase of a running import, `Import Done`, or a description of how the last import ended. */
  readonly progress?: string;
  /** The last import failed; `progress` says why. */
  readonly hasFailed?: true;
  /** The code of that failure. */
  readonly failedWith?: string;
  /** The guards that stopped the last import. */
  readonly stoppedBy?: readonly BrokenGuard[];
  /** ISO 8601, UTC: end of the last successful import. */
  readonly imported?: string;
  /** Id of the last successful import. */
  readonly run?: string;
  /** File name of its store, in the folder of the entity graph. */
  readonly store?: string;
  /** File name of the previous store; with `engine: source`, of the last copy of an earlier graph. */
  readonly previous?: string;
  /** The schema of the source with the graph, with `engine: source`; a store is a copy of it then. */
  readonly schema?: string;
  /** Graphs inside data sources, including those under earlier names; one per schema. */
  readonly inSources?: readonly SourceGraph[];
  /** Totals of the last successful import; absent if there was none. */
  readonly counts?: ImportedCounts;
  /** Of a slice: counts of the last whole import. */
  readonly wholeCounts?: Pick<ImportedCounts, 'elements' | 'entities'>;
  /** How long it took. */
  readonly durationMs?: number;
  /** Data sources that the last import could not reach, so that it used kept rows. */
  readonly keptRows?: readonly KeptRowsView[];
  /** What the last import was limited to; absent for the whole graph. */
  readonly slice?: ImportSlice;
  /** The imported text of the entity graph, which Reset restores. */
  readonly text?: string;
}

/** A graph built inside a data source. */
export interface SourceGraph {
  readonly dataSource: string;
  readonly schema: string;
  /** The import that built it: the id in its table `run`. Absent if no import is known to have published it. */
  readonly run?: string;
  /** Imports that began to publish and did not record how that ended: any of them may have published its graph. */
  readonly begun?: readonly string[];
}

/** A graph that an import has published, or is about to publish. */
export type PublishedSourceGraph = Pick<SourceGraph, 'dataSource' | 'schema'> & { readonly run: string };

/** Totals of an import. */
export interface ImportedCounts {
  readonly elements: readonly Pick<ElementCounts, 'activityName' | 'events' | 'entities' | 'activities'>[];
  readonly entities: readonly { readonly name: string; readonly entities: number }[];
  readonly relationships: readonly RelationshipCounts[];
  readonly totals: { readonly events: number; readonly entities: number };
  /** Results of the process rules; absent without rules, and for a slice. */
  readonly rules?: readonly RuleCounts[];
  /** Results of the measures; absent without any, and for a slice. */
  readonly measures?: readonly MeasureCounts[];
  /** Results of the expectations of rows; absent without any, and for a slice. */
  readonly expectations?: readonly KeptExpectation[];
  /** Broken guards; absent without any. */
  readonly guards?: readonly BrokenGuard[];
}

/** Results of a measure in the last import. */
export interface MeasureCounts extends Pick<
  MeasureResult,
  'name' | 'unit' | 'count' | 'missing' | 'mean' | 'median' | 'p90' | 'met'
> {
  /** The limits that it misses, in words. */
  readonly missed?: readonly string[];
  readonly error?: string;
}

/** Results of a rule in the last import. */
export interface RuleCounts extends Pick<RuleResult, 'name' | 'judged' | 'broken' | 'pending' | 'undecided' | 'holds'> {
  /** Absent for graphs of format 1, which remain known although they are refused. */
  readonly concerned?: number;
  /** A few of its violations, in words. */
  readonly examples?: readonly string[];
  readonly error?: string;
}

export const neverImported: EntityStatus = { version: 1, status: 'Not Imported' };

/** Phase of a running import. */
export function importReached(before: EntityStatus, step: ImportStep): EntityStatus {
  return { ...withoutFailure(before), progress: step };
}

/** A successful import. */
export function importDone(imported: {
  readonly at: string;
  readonly run: string;
  readonly store?: string;
  readonly schema?: string;
  readonly previous?: string;
  readonly inSources?: readonly SourceGraph[];
  readonly text: string;
  readonly keptRows?: readonly KeptRowsView[];
  readonly slice?: ImportSlice;
  readonly counts: ImportedCounts;
  readonly wholeCounts?: Pick<ImportedCounts, 'elements' | 'entities'>;
  readonly durationMs?: number;
}): EntityStatus {
  const { at, ...rest } = imported;
  return { version: 1, status: 'Imported', progress: 'Import Done', imported: at, ...rest };
}

/** The graphs inside data sources after adding `made`, which replaces one in the same schema. */
export function withSourceGraph(before: readonly SourceGraph[], made: PublishedSourceGraph): readonly SourceGraph[] {
  return [...before.filter((each) => !isInSamePlace(each, made)), made];
}

/**
 * The same before `next` is published. A process that ends before it records the outcome leaves this, so that a graph that
 * was published is known as one of this file.
 */
export function withBegunPublication(
  before: readonly SourceGraph[],
  next: PublishedSourceGraph,
): readonly SourceGraph[] {
  const { dataSource, schema, run } = next;
  const there = before.find((each) => isInSamePlace(each, next)) ?? { dataSource, schema };
  return [...before.filter((each) => each !== there), { ...there, begun: [...(there.begun ?? []), run] }];
}

function isInSamePlace(one: SourceGraph, other: PublishedSourceGraph): boolean {
  return one.dataSource === other.dataSource && one.schema === other.schema;
}

/** The status after a failed or cancelled import: a new progress, but the facts about the existing graph are unchanged. */
export function importEnded(
  before: EntityStatus,
  outcome: 'failed' | 'cancelled',
  step: ImportStep,
  { message, code, guards }: Pick<Failure, 'message' | 'code' | 'guards'>,
): EntityStatus {
  const kept = withoutFailure(before);
  if (outcome === 'cancelled') return { ...kept, progress: `Import cancelled at ${step}` };
  const stopped = guards && { stoppedBy: guards };
  return { ...kept, progress: `Import failed at ${step}: ${message}`, hasFailed: true, failedWith: code, ...stopped };
}

function withoutFailure({ hasFailed: _, failedWith: __, stoppedBy: ___, ...kept }: EntityStatus): EntityStatus {
  return kept;
}

/** Whether the progress is a phase of an unfinished import. */
export function isRunning(progress: string): progress is Exclude<ImportStep, 'Import Done'> {
  return progress !== 'Import Done' && importSteps.some((step) => step === progress);
}

/** The displayed progress when the file names a running phase but no process is importing. */
export function interruptedProgress(progress: string): string {
  return `Import interrupted at ${progress}`;
}

/** Counts of the last whole import, with which guards compare the next one; undefined without one. */
export function lastWholeCounts({ counts, slice, wholeCounts }: EntityStatus): EntityStatus['wholeCounts'] {
  return slice === undefined ? counts : wholeCounts;
}
