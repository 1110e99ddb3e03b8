import { type SandboxPaths, confineDatabase } from './sandbox.ts';
import type { StagingDatabase } from './staging-database.ts';

/**
 * Opens several data sources on one staging database, which is then sandboxed to the files of all of them: expressions
 * that users write run there. A sandbox cannot be widened, so nothing is confined before all are open, and one that is
 * confined already stays as it is.
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
