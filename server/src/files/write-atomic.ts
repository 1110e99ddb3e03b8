import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, link, lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { hasEnded, ownTag, tagPattern } from './name-tag.ts';
import { takePlace } from './take-place.ts';

/**
 * Replaces a file as a whole: a reader, or a crash at any moment, meets the old content or the new one. A link at `path` is replaced,
 * not followed; a device or a pipe is refused. Rejects with `not-a-file`, else with the error of the file system.
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  const draft = await draftOf(path);
  try {
    await fill(draft, content, { lasts: true, mode: await modeOf(path) });
    await takePlace(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await removeAbandonedDrafts(path);
}

/**
 * Writes a text file that must not be there yet: whoever looks, or a crash at any moment, meets no file or all of it. Rejects with the
 * error of the file system, `EEXIST` when something is there, also a link that leads nowhere.
 * @param lasts whether it is to outlast a machine that loses its power.
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

/** A second name for a file is refused where there is one already; some disks know no second names. */
async function putInPlace(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    await writeFile(path, '', { flag: 'wx' });
    await rename(draft, path);
  }
}

/** Where a file is written before it takes its place: its name is short, as that of the file may be as long as names can be. */
export async function draftOf(path: string): Promise<string> {
  return join(dirname(path), `${draftPrefix(path)}${await ownTag()}-${randomBytes(3).toString('hex')}.tmp`);
}

/** Removes what processes have left that were killed while they wrote this file. Never rejects. */
export async function removeAbandonedDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => [])) {
    const tag = tagOfDraft(name, path);
    if (tag !== undefined && (await hasEnded(tag)))
      await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

/** The tag of the process that writes, or wrote, a draft of this name; undefined for any other name. */
export function drafterOf(name: string): string | undefined {
  return anyDraft.exec(name)?.[1];
}

const anyDraft = new RegExp(String.raw`^\.entity-graph-[0-9a-f]{8}-(${tagPattern})-[0-9a-f]+\.tmp$`);

function draftPrefix(path: string): string {
  return `.entity-graph-${createHash('sha256').update(basename(path)).digest('hex').slice(0, 8)}-`;
}

function tagOfDraft(name: string, path: string): string | undefined {
  const prefix = draftPrefix(path);
  if (name.startsWith(prefix)) return draftRest.exec(name.slice(prefix.length))?.[1];
  // Those of earlier versions.
  const begin = `${basename(path)}.`;
  return name.startsWith(begin) ? /^(\d+)\.tmp$/.exec(name.slice(begin.length))?.[1] : undefined;
}

const draftRest = new RegExp(String.raw`^(${tagPattern})-[0-9a-f]+\.tmp$`);

/** The mode of the file that is replaced, which the new one keeps. */
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

/** Some disks know no modes. */
async function keepMode(file: FileHandle, mode: number): Promise<void> {
  await file.chmod(mode).catch(() => undefined);
}
