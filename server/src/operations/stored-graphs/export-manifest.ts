import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeFileAtomic } from '../../files/write-atomic.ts';

/** The file beside the files of an export that says which they are: what else is in the folder is not ours. */
export const manifestName = '.entity-graph-export.json';

/** What a folder holds of exports. */
export interface ExportManifest {
  readonly files: readonly string[];
  /** The files are being replaced one by one: they are of two graphs until this is gone. */
  readonly unfinished?: true;
}

/** The manifest of a folder; undefined when it has none that can be read. */
export async function readManifest(folder: string): Promise<ExportManifest | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, manifestName), 'utf8'));
    if (typeof read !== 'object' || read === null || !('files' in read) || !Array.isArray(read.files)) return undefined;
    // Files are removed by these names: none may lead out of the folder.
    return { files: read.files.filter((name) => typeof name === 'string' && isPlainName(name)) };
  } catch {
    return undefined;
  }
}

/** Writes it as a whole. Rejects with the error of the file system. */
export async function writeManifest(folder: string, manifest: ExportManifest): Promise<void> {
  await writeFileAtomic(join(folder, manifestName), `${JSON.stringify(manifest)}\n`);
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && basename(name) === name && !name.includes('\\');
}
