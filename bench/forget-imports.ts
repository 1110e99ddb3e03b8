import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Deletes the graphs of a folder and the rows kept of its data sources: the next import reads all of them, as the first one does. */
export async function forgetImports(folder: string): Promise<void> {
  await rm(join(folder, '.entity-graph'), { recursive: true, force: true });
}
