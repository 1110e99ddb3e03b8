import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Deletes the graphs of a folder and the row cache, so that the next import reads all rows again. */
export async function forgetImports(folder: string): Promise<void> {
  await rm(join(folder, '.entity-graph'), { recursive: true, force: true });
}
