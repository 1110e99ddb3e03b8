import type { BuildRequest } from '../../../protocol/import-request.ts';
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
  readonly request: BuildRequest;
  /** The rows that the import before has kept, a file that need not be there. */
  readonly rowCache: string;
  /** What the run record says beside what the import finds out itself. */
  readonly run: Omit<RunRecord, 'durationsMs' | 'counts' | 'warnings' | 'steps' | 'slice'>;
}
