import type {
  DataSourceRead,
  ElementCounts,
  GraphTotals,
  ImportOutcome,
  ImportStep,
  MasterDataCounts,
  RelationshipCounts,
  RowExpectationResult,
  StepReport,
} from '../../../protocol/import-progress.ts';
import type { ImportNote } from '../../../protocol/import-notes.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { RuleResult } from '../../../protocol/process-rules.ts';
import type { Failure } from '../../../protocol/query-results.ts';

/** The last line that an import prints as JSON, whatever its outcome (docs/semantics.md#153-import-summary). */
export interface ImportSummary {
  readonly type: 'summary';
  readonly status: 'imported' | 'failed' | 'cancelled';
  /** Absolute path of the graph store; absent unless imported, and with `engine: source`. */
  readonly store?: string;
  /** The schema of the source in which the graph was built, with `engine: source`. */
  readonly schema?: string;
  readonly elements: readonly ElementCounts[];
  readonly entities: readonly MasterDataCounts[];
  readonly relationships: readonly RelationshipCounts[];
  readonly totals: GraphTotals;
  /** Of elements and entries of `entities` with `expect`; absent without any, and for a sample. */
  readonly expectations?: readonly RowExpectationResult[] | undefined;
  /** Of a graph with rules; absent without any, for a slice, and for a graph in its source. */
  readonly rules?: readonly RuleResult[] | undefined;
  /** When each data source was read; only of a graph of several. */
  readonly dataSources?: readonly DataSourceRead[];
  readonly warnings: readonly string[];
  /** The same in parts, with what their numbers count; absent unless imported. */
  readonly notes?: readonly ImportNote[];
  readonly durationMs: number;
  /** Absent unless imported. */
  readonly steps?: readonly StepReport[];
  /** Set for `--sample` and `--since`. */
  readonly slice?: ImportSlice;
  readonly error?: Failure;
  /** The step at which it failed or was cancelled. */
  readonly failedStep?: ImportStep;
}

/** The summary of an outcome. Programs read counts from every summary: those of an import without a graph are 0. */
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
