import { isSourceError } from '../connectors/source-error.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import type { ImportSource } from './import-source.ts';
import { cachedIdentity } from './kept-rows.ts';
import { closePulls, openPulls } from './open-pulls.ts';
import { plannedPulls } from './plan-import.ts';
import { fingerprintsOf, identityOfUnchanged } from './pull-plan.ts';
import { queryKey, unchangedKey } from './row-cache/reusing-pull.ts';

/**
 * Whether the rows of a plan are those of a row cache: read with the same settings, and unchanged since as far as their
 * sources can tell. Sources that are down count as unchanged. Rejects like `pullPlan`.
 * @param cached of the row cache (`cachedQueries`)
 */
export async function areRowsUnchanged(
  staging: BuildDatabase,
  job: ImportWithoutFiles,
  cached: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  const keyOf = (source: ImportSource, query: CompiledQuery): string =>
    queryKey(cachedIdentity(source, job.run.versions), query);
  const planned = plannedPulls(job.plan).flatMap(({ dataSource, query }) => {
    const source = job.sources.find(({ name }) => name === dataSource);
    return source ? [{ source, query }] : [];
  });
  if (!planned.every(({ source, query }) => cached.has(keyOf(source, query)))) return false;
  const opened = await openPulls(staging, job);
  try {
    const snapshots = opened.flatMap(({ source: { name }, pull }) =>
      isSourceError(pull) ? [] : [[name, pull] as const],
    );
    const fingerprints = await fingerprintsOf(new Map(snapshots), job.plan, job.signal);
    return planned.every(({ source, query }) => {
      if (source.down) return true;
      const fingerprint = fingerprints.get(query);
      const unchanged = fingerprint && unchangedKey(identityOfUnchanged(source, job), query, fingerprint);
      return unchanged !== undefined && cached.get(keyOf(source, query)) === unchanged;
    });
  } finally {
    await closePulls(opened);
  }
}
