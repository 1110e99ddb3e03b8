import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createBuildDatabase,
  type BuildDatabase,
  type BuildDatabaseOptions,
} from '../../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder } from './temporary-folder.ts';

/** Passes `use` a staging database in a temporary folder. */
export async function withBuildDatabase<T>(
  use: (staging: BuildDatabase) => Promise<T>,
  options: Pick<BuildDatabaseOptions, 'memoryLimits' | 'threads'> = {},
): Promise<T> {
  const folder = await folderWith({});
  const temporaryFolder = join(folder, 'temporary');
  await mkdir(temporaryFolder);
  const staging = await createBuildDatabase({ path: join(folder, 'build.duckdb'), temporaryFolder, ...options });
  try {
    return await use(staging);
  } finally {
    await staging.close();
    await removeFolder(folder);
  }
}
