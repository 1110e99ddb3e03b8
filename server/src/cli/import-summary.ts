import type { ImportedGraph, ImportOutcome, ImportStep, StepReport } from '../../../protocol/import-progress.ts';
import type { Failure } from '../../../protocol/query-results.ts';

/** The last line that an import prints as JSON, whatever its outcome (docs/semantics.md#153-import-summary). */
export interface ImportSummary extends Omit<ImportedGraph, 'status' | 'steps'> {
  readonly type: 'summary';
  readonly status: 'imported' | 'failed' | 'cancelled';
  /** Absent unless imported. */
  readonly steps?: readonly StepReport[];
  readonly error?: Failure;
  /** The step at which it failed or was cancelled. */
  readonly failedStep?: ImportStep;
}

/** The summary of an outcome. Programs read counts from every summary: without a graph they are 0. */
export function importSummary(outcome: ImportOutcome): ImportSummary {
  switch (outcome.status) {
    case 'imported':
      return { type: 'summary', ...outcome };
    case 'failed':
    case 'cancelled':
      return { type: 'summary', ...nothing, ...outcome };
    case 'refused':
    case 'lost':
      return { type: 'summary', ...nothing, durationMs: 0, status: 'failed', error: outcome.error };
    case 'cancelled before it began':
      return { type: 'summary', ...nothing, durationMs: 0, status: 'cancelled', error: outcome.error };
  }
}

const nothing = {
  elements: [],
  entities: [],
  relationships: [],
  totals: { events: 0, entities: 0, correlations: 0, relations: 0, directlyFollows: 0 },
  warnings: [],
} as const;
