import type { Dirent } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Creates a folder with these files (path → content); the caller removes it with `removeFolder`. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-test-'));
  await writeFiles(folder, files);
  return folder;
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Content below a folder, like `readdir`; ignores folders deleted concurrently. */
export async function entriesBelow(folder: string): Promise<readonly Dirent[]> {
  const entries = (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? [];
  const below = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map((entry) => entriesBelow(join(folder, entry.name))),
  );
  return [...entries, ...below.flat()];
}

/** The paths of all content below a folder, relative to it. */
export async function pathsBelow(folder: string): Promise<readonly string[]> {
  return (await entriesBelow(folder)).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Every file below a folder with its content hash, sorted, to verify that nothing changed. */
export async function fingerprint(folder: string): Promise<readonly string[]> {
  const entries = await entriesBelow(folder);
  const lines = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const content = await unlessGone(readFile(path));
        return content ? [`${path.slice(folder.length)} ${createHash('sha256').update(content).digest('hex')}`] : [];
      }),
  );
  return lines.flat().sort();
}

async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
