import type { Connector } from '../connectors/connector.ts';
import type { BuildFolder } from './build-folder.ts';
import type { RunRecord } from './build/run-record.ts';
import type { ImportPlan } from './plan-import.ts';
import type { ProgressReporter } from './progress.ts';

/** What one import works on. */
export interface ImportJob {
  readonly plan: ImportPlan;
  readonly connector: Connector;
  readonly folder: BuildFolder;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  readonly slice: ImportSlice;
  /** Reads all, also what an import before has kept. */
  readonly isFull?: boolean;
  /** The rows that the import before has kept, a file that need not be there. */
  readonly keptRows: string;
  /** What the run record says beside what the import finds out itself. */
  readonly run: Omit<RunRecord, 'durationsMs' | 'counts' | 'warnings' | 'steps' | 'slice'>;
}

/** A part of a graph: the first rows of each element, events from a time on (ISO 8601, UTC). */
export interface ImportSlice {
  readonly sample?: number;
  readonly since?: string;
}
