import type { RunningImportView } from './entities-table.ts';
import type { ImportPlanView, PlannedRead } from './import-plan.ts';
import type { ImportOutcome } from './import-progress.ts';
import type { GraphStatusView } from './requests/graph-requests.ts';
import type { importLink } from './shapes/import-shapes.ts';
import type { Checked } from './shapes/shape.ts';

/** What an import of a graph will do, without its statements. */
export interface PlannedImport {
  readonly engine: ImportPlanView['engine'];
  /** Planned reads of each data source, with estimated rows; only for a graph of several data sources. */
  readonly dataSources?: readonly PlannedRead[] | undefined;
  /** Statements and requests of all phases: what the plan lists. */
  readonly statements: number;
}

/** How the import of a graph stands: the running one, else how the last one ended. */
export interface ImportNews {
  readonly running?: RunningImportView | undefined;
  /** The last import of this machine and workspace, by the extension. */
  readonly last?: LastImport | undefined;
  /** By the state of the graph on disk, which other programs change too. */
  readonly status: GraphStatusView | null;
}

export interface LastImport {
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  readonly outcome: ImportOutcome;
}

export type ImportLink = Checked<typeof importLink>;
