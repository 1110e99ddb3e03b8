import { type SandboxPaths, confineDatabase } from './sandbox.ts';
import type { StagingDatabase } from './staging-database.ts';

/**
 * Opens several data sources on one staging database, which is then sandboxed to the files of all of them: expressions
 * that users write run there. A sandbox cannot be widened, so the database is sandboxed after all sources are open; one
 * that is already sandboxed stays unchanged.
 */
export async function openOnSharedStaging<T>(
  staging: StagingDatabase,
  open: (staging: StagingDatabase) => Promise<T>,
): Promise<T> {
  if (staging.confine) return open(staging);
  const paths: SandboxPaths[] = [{ files: [], folders: [staging.temporaryFolder] }];
  const opened = await open({ ...staging, confine: (more) => void paths.push(more) });
  await confineDatabase(staging, {
    files: [...new Set(paths.flatMap(({ files }) => files))],
    folders: [...new Set(paths.flatMap(({ folders }) => folders))],
  });
  return opened;
}
