import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, link, lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { hasEnded, ownTag, tagPattern } from './name-tag.ts';
import { moveIntoPlace } from './move-into-place.ts';

/**
 * Replaces a file atomically: readers, and crashes at any moment, see the old or the new content. A link at `path` is
 * replaced, not followed; devices and pipes are refused. Rejects with `not-a-file`, else with the file system error.
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  const draft = await draftOf(path);
  try {
    await fill(draft, content, { lasts: true, mode: await modeOf(path) });
    await moveIntoPlace(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await removeAbandonedDrafts(path);
}

/**
 * Creates a text file atomically. Rejects with the file system error, `EEXIST` when the path exists, even as a dangling
 * link.
 * @param lasts whether to flush it to disk, so that it survives a power failure.
 */
export async function writeNewFile(path: string, text: string, lasts = true): Promise<void> {
  await makeFolder(dirname(path));
  const draft = await draftOf(path);
  try {
    await fill(draft, text, { lasts });
    await putInPlace(draft, path);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
  await removeAbandonedDrafts(path);
}

/** A hard link fails if the target exists; some file systems do not support hard links. */
async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    await writeFile(path, '', { flag: 'wx' });
    await rename(draft, path);
  }
}

/** Path of the temporary file; its name is short, because the name of the file may have the maximum length. */
export async function draftOf(path: string): Promise<string> {
  return join(dirname(path), `${draftPrefix(path)}${await ownTag()}-${randomBytes(3).toString('hex')}.tmp`);
}

/** Deletes temporary files of killed processes for this file. Never rejects. */
export async function removeAbandonedDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => [])) {
    const tag = tagOfDraft(name, path);
    if (tag !== undefined && (await hasEnded(tag)))
      await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** The process tag in a temporary file name; undefined for other names. */
export function drafterOf(name: string): string | undefined {
  return anyDraft.exec(name)?.[1];
}

const anyDraft = new RegExp(String.raw`^\.entity-graph-[0-9a-f]{8}-(${tagPattern})-[0-9a-f]+\.tmp$`);

function draftPrefix(path: string): string {
  return `.entity-graph-${createHash('sha256').update(basename(path)).digest('hex').slice(0, 8)}-`;
}

function tagOfDraft(name: string, path: string): string | undefined {
  const prefix = draftPrefix(path);
  return name.startsWith(prefix) ? draftRest.exec(name.slice(prefix.length))?.[1] : undefined;
}

const draftRest = new RegExp(String.raw`^(${tagPattern})-[0-9a-f]+\.tmp$`);

/** File mode of the replaced file, which the new one keeps. */
async function modeOf(path: string): Promise<number | undefined> {
  const there = await lstat(path).catch(() => undefined);
  return there?.isFile() ? there.mode & 0o777 : undefined;
}

async function fill(
  draft: string,
  content: string | Uint8Array,
  { lasts, mode }: { readonly lasts: boolean; readonly mode?: number | undefined },
): Promise<void> {
  const file = await open(draft, 'wx');
  try {
    await file.writeFile(content);
    if (mode !== undefined) await keepMode(file, mode);
    if (lasts) await file.sync();
  } finally {
    await file.close();
  }
}

/** Some file systems have no modes. */
async function keepMode(file: FileHandle, mode: number): Promise<void> {
  await file.chmod(mode).catch(() => undefined);
}
