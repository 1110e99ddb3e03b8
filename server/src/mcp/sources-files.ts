import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { listSourcesFiles } from '../project/list-entity-files.ts';

/** Changes with every data sources file in and below a folder. Rejects with the file system error. */
export async function sourcesFilesDigest(folder: string): Promise<string> {
  const digest = createHash('sha256');
  for (const path of await listSourcesFiles(folder)) digest.update(`${path}\0`).update(await readFile(path));
  return digest.digest('hex');
}
