import type { BuildDatabase } from '../../store/duckdb-store.ts';
import type { ImportJob } from '../import-job.ts';
import type { PulledPlan } from '../pull-plan.ts';
import type { RowCache } from '../row-cache.ts';

export interface ReuseWork {
  readonly staging: BuildDatabase;
  readonly job: Pick<ImportJob, 'plan' | 'sources' | 'request' | 'folder' | 'signal' | 'progress' | 'previousGraph'>;
  readonly rows: RowCache;
  readonly pulled: PulledPlan;
  /** See `graphKey`. */
  keyOf(rows: KeyedRows): string;
}

/** Staged rows, for their key. */
export type KeyedRows = Pick<PulledPlan, 'elements' | 'entities' | 'relationships'>;

/** Why the graph has to be built anew. */
export interface Refusal {
  readonly why: string;
}

export function run({ staging, job: { signal } }: ReuseWork, sql: string): Promise<number | undefined> {
  return staging.run(sql, { signal });
}

export function query({ staging, job: { signal } }: ReuseWork, sql: string) {
  return staging.query(sql, { signal });
}
