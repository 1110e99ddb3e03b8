import type { Pull } from '../connectors/connector.ts';
import { isSourceDown } from '../connectors/source-down.ts';
import { type SourceError, isSourceError } from '../connectors/source-error.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import { openOnSharedStaging } from '../store/shared-staging.ts';
import type { StagingDatabase } from '../store/staging-database.ts';
import { isWhole, sliceOf } from './import-slice.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import type { ImportSource } from './import-source.ts';
import { namedPull, ofDataSource } from './data-source-failure.ts';
import { plannedPulls } from './plan-import.ts';

/** The snapshot of one data source, or the reason why it could not be opened. */
export interface OpenedPull {
  readonly source: ImportSource;
  readonly pull: Pull | SourceError;
  /** ISO 8601, UTC: before the snapshot was taken. */
  readonly readAt: string;
}

/**
 * Opens the snapshots of all data sources one after the other before the first row is read, so that they are close in
 * time. If one fails, the others are closed.
 */
export function openPulls(staging: BuildDatabase, job: ImportWithoutFiles): Promise<readonly OpenedPull[]> {
  if (job.sources.length === 1) return openEach(staging, job);
  return openOnSharedStaging(staging, (shared) => openEach(shared, job));
}

async function openEach(staging: StagingDatabase, job: ImportWithoutFiles): Promise<readonly OpenedPull[]> {
  const { sources, plan, signal, request, progress } = job;
  const pulls = [...plannedPulls(plan), ...(job.readsAhead ?? [])];
  const opened: OpenedPull[] = [];
  const isOneOfSeveral = sources.length > 1;
  try {
    for (const source of sources) {
      const { name, connector, down } = source;
      if (isOneOfSeveral) progress.report('data pull', `Connecting to ${name}`);
      const readAt = new Date().toISOString();
      const options = {
        signal,
        queries: pulls.flatMap(({ dataSource, query }) => (dataSource === name ? [query] : [])),
        ...sliceOf(request),
        isFull: request.isFull,
      };
      const mayKeep = request.usesKeptRows === true && isWhole(request);
      const pull =
        down ??
        (await connector.openPull(staging, options).catch((error: unknown) => {
          if (mayKeep && isSourceDown(error)) return error;
          throw ofDataSource(error, name, isOneOfSeveral);
        }));
      opened.push({ source, pull: isSourceError(pull) ? pull : namedPull(pull, name, isOneOfSeveral), readAt });
    }
    return opened;
  } catch (error) {
    await closePulls(opened);
    throw error;
  }
}

export async function closePulls(opened: readonly OpenedPull[]): Promise<void> {
  for (const { pull } of opened) if (!isSourceError(pull)) await pull.close();
}
