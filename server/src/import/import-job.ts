import type { BuildRequest } from '../../../protocol/import-request.ts';
import type { BuildFolder } from './build-folder.ts';
import type { RunRecord } from './build/run-record.ts';
import type { ImportSources } from './import-source.ts';
import type { ImportPlan } from './plan-import.ts';
import type { ProgressReporter } from './progress.ts';

/** Input of one import. */
export interface ImportJob {
  readonly plan: ImportPlan;
  readonly sources: ImportSources;
  readonly folder: BuildFolder;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  readonly request: BuildRequest;
  /** The row cache file of the previous import, which may be missing. */
  readonly rowCache: string;
  /** False if a copy of the row cache could not be used in a first attempt. */
  readonly isRowCacheCopied?: false;
  /** Further content of the run record. */
  readonly run: Omit<RunRecord, 'durationsMs' | 'counts' | 'warnings' | 'steps' | 'slice'>;
}

/** An import that need not write its graph to files. */
export type ImportWithoutFiles = Omit<ImportJob, 'folder' | 'rowCache' | 'isRowCacheCopied'> & {
  /** Skips all counts, for notes and for comparing numbers of rows with the source. */
  readonly withoutCounts?: boolean;
};
