import { randomBytes } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { hasEnded, ownTag, tagPattern } from '../../files/name-tag.ts';
import { removeAbandoned } from './export-folder.ts';

/**
 * Says, beside the store that is exported, in which folder this process writes; resolves to what takes that back. Where it cannot be said, what a
 * killed export leaves goes with the next one into the same folder.
 */
export async function noteExport(graphsFolder: string, folder: string): Promise<() => Promise<void>> {
  const note = join(graphsFolder, `${prefix}${await ownTag()}-${randomBytes(4).toString('hex')}.json`);
  const text = JSON.stringify({ host: hostname(), folder });
  await writeFile(note, text, { flag: 'wx' }).catch(() => undefined);
  return () => rm(note, { force: true }).catch(() => undefined);
}

/** Whether a file of this name is a note of an export. */
export function isExportNote(name: string): boolean {
  return exporterOf(name) !== undefined;
}

/** Removes what exports of the stores in a folder have left that were killed on this machine, wherever they wrote. Never rejects. */
export async function removeKilledExports(graphsFolder: string): Promise<void> {
  for (const name of await readdir(graphsFolder).catch(() => [])) {
    const tag = exporterOf(name);
    if (tag === undefined || !(await hasEnded(tag))) continue;
    const note = join(graphsFolder, name);
    const read = await readNote(note);
    // Which processes live on another machine cannot be known here.
    if (read && read.host !== hostname()) continue;
    try {
      if (read) await removeAbandoned(read.folder);
      await rm(note, { force: true });
    } catch {
      // The note stays for the next time.
    }
  }
}

const prefix = '.exporting-';

const notePattern = new RegExp(String.raw`^\.exporting-(${tagPattern})-[0-9a-f]+\.json$`);

function exporterOf(name: string): string | undefined {
  return notePattern.exec(name)?.[1];
}

/** Undefined for one that its process did not finish: then it had made no folder either. */
async function readNote(path: string): Promise<{ readonly host: string; readonly folder: string } | undefined> {
  try {
    const { host, folder } = JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, unknown>>;
    return typeof host === 'string' && typeof folder === 'string' && isAbsolute(folder) ? { host, folder } : undefined;
  } catch {
    return undefined;
  }
}
