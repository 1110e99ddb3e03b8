import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { ownTag, tagPattern } from '../files/name-tag.ts';

/** The folder of one running build, inside the folder of its entity's graphs: what is in it is nobody's yet. */
export interface BuildFolder {
  readonly path: string;
  /** The store that is being built. */
  readonly store: string;
  /** The database of the rows that the source gave. */
  readonly rows: string;
  /** Moves the finished store to its place, whole; returns its path. */
  publish(): Promise<string>;
  /** Removes everything that was not published. */
  remove(): Promise<void>;
}

const buildingPrefix = '.building-';

/**
 * A run's name, which sorts by time; `random` tells apart two runs of one millisecond, such as four hexadecimal digits.
 */
export function runId(at: Date, random: string): string {
  return `${at.toISOString().slice(0, 23).replaceAll(/[-:.]/g, '')}-${random}`;
}

/**
 * Makes the folder of a new build and removes those that earlier builds left when they were killed; the caller holds the
 * entity's lock. Rejects with the error of the file system.
 */
export async function createBuildFolder(graphsFolder: string, run: string): Promise<BuildFolder> {
  await makeFolder(graphsFolder);
  await removeLeftovers(graphsFolder);
  const path = join(graphsFolder, `${buildingPrefix}${await ownTag()}-${run}`);
  const store = join(path, 'graph.duckdb');
  // Its name is that of a catalog, which no table of users should have.
  const rows = join(path, 'entity_graph_rows.duckdb');
  await mkdir(path);
  return {
    path,
    store,
    rows,
    async publish() {
      await syncToDisk(store);
      const published = join(graphsFolder, `${run}.duckdb`);
      await rename(store, published);
      await syncToDisk(graphsFolder).catch(() => undefined); // Windows cannot open a folder.
      return published;
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** The tag of the process that builds in a folder of this name; undefined for any other name. */
export function builderOf(name: string): string | undefined {
  return buildingPattern.exec(name)?.[1];
}

const buildingPattern = new RegExp(String.raw`^\.building-(${tagPattern})-`);

/**
 * Removes what killed builds have left.
 * @param pid of one process; without it what all have left, which only who has the lock of the entity may remove.
 */
export async function removeLeftovers(graphsFolder: string, pid?: number): Promise<void> {
  const names = await readdir(graphsFolder).catch(() => []);
  const leftovers = names.filter((name) =>
    pid === undefined ? name.startsWith(buildingPrefix) : isOfProcess(builderOf(name), pid),
  );
  await Promise.all(leftovers.map((name) => rm(join(graphsFolder, name), { recursive: true, force: true })));
}

/** Removes all stores of an entity but those of these file names. A store that somebody has open stays for later. */
export async function removeOldRuns(graphsFolder: string, kept: readonly (string | undefined)[]): Promise<void> {
  const names = await readdir(graphsFolder).catch(() => []);
  const old = names.filter((name) => name.endsWith('.duckdb') && !kept.includes(name));
  await Promise.all(old.map((name) => rm(join(graphsFolder, name), { force: true }).catch(() => undefined)));
}

function isOfProcess(tag: string | undefined, pid: number): boolean {
  return tag === String(pid) || tag?.startsWith(`${pid}.`) === true;
}

async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
