import { randomBytes } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { hasEnded, ownTag, tagPattern } from '../../files/name-tag.ts';
import { removeAbandoned } from './export-folder.ts';

/**
 * Writes a marker beside the exported store with the folder used by this process; resolves to a function that deletes
 * it. Without a marker, the next export into the same folder cleans up.
 */
export async function noteExport(graphsFolder: string, folder: string): Promise<() => Promise<void>> {
  const note = join(graphsFolder, `${prefix}${await ownTag()}-${randomBytes(4).toString('hex')}.json`);
  const text = JSON.stringify({ host: hostname(), folder });
  await writeFile(note, text, { flag: 'wx' }).catch(() => undefined);
  return () => rm(note, { force: true }).catch(() => undefined);
}

/** Whether a file name is that of an export marker. */
export function isExportNote(name: string): boolean {
  return exporterOf(name) !== undefined;
}

/** Deletes temporary files left behind by killed exports of the stores in a folder. Never rejects. */
export async function removeKilledExports(graphsFolder: string): Promise<void> {
  for (const name of await readdir(graphsFolder).catch(() => [])) {
    const tag = exporterOf(name);
    if (tag === undefined || !(await hasEnded(tag))) continue;
    const note = join(graphsFolder, name);
    const read = await readNote(note);
    // Processes on other machines cannot be checked here.
    if (read && read.host !== hostname()) continue;
    try {
      if (read) await removeAbandoned(read.folder);
      await rm(note, { force: true });
    } catch {
      // The marker stays for the next attempt.
    }
  }
}

const prefix = '.exporting-';

const notePattern = new RegExp(String.raw`^\.exporting-(${tagPattern})-[0-9a-f]+\.json$`);

function exporterOf(name: string): string | undefined {
  return notePattern.exec(name)?.[1];
}

/** Undefined for an incomplete marker, whose process had created no folder yet. */
async function readNote(path: string): Promise<{ readonly host: string; readonly folder: string } | undefined> {
  try {
    const { host, folder } = JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, unknown>>;
    return typeof host === 'string' && typeof folder === 'string' && isAbsolute(folder) ? { host, folder } : undefined;
  } catch {
    return undefined;
  }
}
