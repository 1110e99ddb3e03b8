import type { BuildRequest } from '../../../protocol/import-request.ts';
import type { BuildFolder } from './build-folder.ts';
import type { BuiltTable } from './build/compile-build.ts';
import type { RunRecord } from './build/run-record.ts';
import type { GuardedImport } from './guards.ts';
import type { ImportSources } from './import-source.ts';
import type { ImportPlan, PlannedPull } from './plan-import.ts';
import type { ProgressReporter } from './progress.ts';

/** Input of one import. */
export interface ImportJob {
  readonly plan: ImportPlan;
  readonly sources: ImportSources;
  readonly folder: BuildFolder;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  readonly request: BuildRequest;
  /** Estimated rows of pulled queries, for progress, by staging table; those without an estimate are absent. */
  readonly expectedRows?: ReadonlyMap<string, number> | undefined;
  /** The row cache file of the previous import, which may be missing. */
  readonly rowCache: string;
  /** Further files of cached rows, for queries that the first does not have. */
  readonly moreRows?: readonly string[] | undefined;
  /**
   * Queries of later builds, which are read in the same snapshots and kept for their row caches. Those that cannot be read
   * are left out.
   */
  readonly readsAhead?: readonly PlannedPull[] | undefined;
  /** False if a copy of the row cache could not be used in a first attempt. */
  readonly isRowCacheCopied?: false;
  /** Guards of the text; absent for the first import and for slices. */
  readonly guards?: GuardedImport | undefined;
  /** The tables to build, without views of them; default: all. */
  readonly tables?: ReadonlySet<BuiltTable> | undefined;
  /** Further content of the run record. */
  readonly run: Omit<RunRecord, 'durationsMs' | 'counts' | 'warnings' | 'steps' | 'slice'>;
}

/** An import that need not write its graph to files. */
export type ImportWithoutFiles = Omit<ImportJob, 'folder' | 'rowCache' | 'moreRows' | 'isRowCacheCopied'> & {
  /** Skips all counts, for notes and for comparing numbers of rows with the source. */
  readonly withoutCounts?: boolean;
};
