import type { BuildDatabase } from '../store/duckdb-store.ts';
import { anyOrderSql, timeZoneSql } from './build/staging-steps.ts';
import { ImportError } from './import-error.ts';
import type { ImportJob } from './import-job.ts';
import { type ImportSource, commonRows } from './import-source.ts';

interface Staged extends Pick<ImportJob, 'sources'> {
  readonly open: () => Promise<BuildDatabase>;
  /** Time zones that need no check. Checked ones are added. */
  readonly knownTimeZones?: Set<string>;
}

/** Opens the database in which rows are staged, checks the time zones of the sources, and closes it after the work. */
export async function withStaging<T>(
  { sources, open, knownTimeZones = new Set(['UTC']) }: Staged,
  work: (staging: BuildDatabase, openedMs: number) => Promise<T>,
): Promise<T> {
  const opening = performance.now();
  const staging = await open();
  try {
    for (const source of sources) {
      const { timeZone } = source.connector;
      if (knownTimeZones.has(timeZone)) continue;
      await checkTimeZone(staging, source, sources.length > 1);
      knownTimeZones.add(timeZone);
    }
    if (!commonRows(sources).hasRowOrder) await staging.run(anyOrderSql);
    return await work(staging, performance.now() - opening);
  } finally {
    await staging.close();
  }
}

async function checkTimeZone(
  staging: BuildDatabase,
  { name, connector: { timeZone } }: ImportSource,
  isOneOfSeveral: boolean,
): Promise<void> {
  const known = await staging.query(timeZoneSql(timeZone));
  if (known.length > 0) return;
  const owner = isOneOfSeveral ? `${name}'s timeZone` : "The data source's timeZone";
  throw new ImportError('unknown-time-zone', `${owner} "${timeZone}" is not known.`, {
    remedy: 'Use a name of the IANA time zone database, such as Europe/Berlin.',
  });
}
