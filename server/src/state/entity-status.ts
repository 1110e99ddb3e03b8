import { importSteps, type ImportStep } from '../../../protocol/import-progress.ts';

/** What is remembered about an entity graph between sessions: the content of its status file. */
export interface EntityStatus {
  readonly version: 1;
  readonly status: 'Not Imported' | 'Imported';
  /** The last step of a running import, `Import Done`, or in words how the last import ended. */
  readonly progress?: string;
  /** ISO 8601, UTC: end of the last successful import. */
  readonly imported?: string;
  /** Of the last successful import. */
  readonly run?: string;
  /** File name of its store, beside the others of this entity. */
  readonly store?: string;
  /** File name of the store of the successful import before, which is kept; with `engine: source`, of the last copy of an earlier graph. */
  readonly previous?: string;
  /** The schema of the source in which the graph is, with `engine: source`; a store is a copy of it then. */
  readonly schema?: string;
  /** Graphs that imports have left inside data sources, also earlier ones under other names; one for each schema. */
  readonly inSources?: readonly SourceGraph[];
  /** How much the last successful import brought; absent in the status files of earlier versions. */
  readonly counts?: ImportedCounts;
  /** The text of the entity graph that was imported: what Reset goes back to. */
  readonly text?: string;
}

/** A graph that an import has built inside a data source. */
export interface SourceGraph {
  readonly dataSource: string;
  readonly schema: string;
  /** The import that made it: the id in its table `run`. */
  readonly run: string;
}

/** How much an import brought. */
export interface ImportedCounts {
  readonly elements: readonly { readonly activityName: string; readonly events: number; readonly entities: number }[];
  /** Absent in the status files of earlier versions. */
  readonly entities?: readonly { readonly name: string; readonly entities: number }[];
  readonly relationships: readonly { readonly name: string; readonly pairs: number }[];
  readonly totals: { readonly events: number; readonly entities: number };
}

export const neverImported: EntityStatus = { version: 1, status: 'Not Imported' };

/** A step of a running import. */
export function importReached(before: EntityStatus, step: ImportStep): EntityStatus {
  return { ...before, progress: step };
}

/** A finished import, whose graph now stands. */
export function importDone(imported: {
  readonly at: string;
  readonly run: string;
  readonly store?: string;
  readonly schema?: string;
  readonly previous?: string;
  readonly inSources?: readonly SourceGraph[];
  readonly text: string;
  readonly counts: ImportedCounts;
}): EntityStatus {
  const { at, ...rest } = imported;
  return { version: 1, status: 'Imported', progress: 'Import Done', imported: at, ...rest };
}

/** The graphs inside data sources once `made` is there: it took the place of one in the same schema. */
export function withSourceGraph(before: readonly SourceGraph[], made: SourceGraph): readonly SourceGraph[] {
  const isReplaced = ({ dataSource, schema }: SourceGraph): boolean =>
    dataSource === made.dataSource && schema === made.schema;
  return [...before.filter((each) => !isReplaced(each)), made];
}

/** An import that failed or was cancelled: it changes nothing but the progress. */
export function importEnded(
  before: EntityStatus,
  outcome: 'failed' | 'cancelled',
  step: ImportStep,
  reason: string,
): EntityStatus {
  const what = outcome === 'cancelled' ? `Import cancelled at ${step}` : `Import failed at ${step}: ${reason}`;
  return { ...before, progress: what };
}

/** Whether the progress is a step that an import has begun and not ended. */
export function isRunning(progress: string): progress is Exclude<ImportStep, 'Import Done'> {
  return progress !== 'Import Done' && importSteps.some((step) => step === progress);
}

/** The progress as it is shown when nobody is importing any more though the file still names a running step. */
export function interruptedProgress(progress: string): string {
  return `Import interrupted at ${progress}`;
}
