import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeFileAtomic } from '../../files/write-atomic.ts';

/** The manifest of an export, which lists its files; other files in the folder belong to others. */
export const manifestName = '.entity-graph-export.json';

/** Content of a manifest. */
interface ExportManifest {
  readonly files: readonly string[];
  /** Set while files are replaced one by one: until then they are from two graphs. */
  readonly unfinished?: true;
}

/** The manifest of a folder; undefined without a readable one. */
export async function readManifest(folder: string): Promise<ExportManifest | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, manifestName), 'utf8'));
    if (typeof read !== 'object' || read === null || !('files' in read) || !Array.isArray(read.files)) return undefined;
    // Files are deleted by these names, so none may lead out of the folder.
    return { files: read.files.filter((name) => typeof name === 'string' && isPlainName(name)) };
  } catch {
    return undefined;
  }
}

/** Writes it atomically. Rejects with the file system error. */
export async function writeManifest(folder: string, manifest: ExportManifest): Promise<void> {
  await writeFileAtomic(join(folder, manifestName), `${JSON.stringify(manifest)}\n`);
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && basename(name) === name && !name.includes('\\');
}
