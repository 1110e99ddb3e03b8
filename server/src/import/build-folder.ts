import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { ownTag, tagPattern } from '../files/name-tag.ts';

/** The temporary folder of a running build, inside the folder of its entity graph. */
export interface BuildFolder {
  readonly path: string;
  /** The new store. */
  readonly store: string;
  /** The database of staged rows. */
  readonly rows: string;
  /** Moves the finished store to its final path atomically; returns the path. */
  publish(): Promise<string>;
  /** Deletes everything unpublished. */
  remove(): Promise<void>;
}

const buildingPrefix = '.building-';

/**
 * The name of a run, sortable by time; `random` distinguishes runs of the same millisecond, such as four hexadecimal
 * digits.
 */
export function runId(at: Date, random: string): string {
  return `${at.toISOString().slice(0, 23).replaceAll(/[-:.]/g, '')}-${random}`;
}

/**
 * Creates the folder of a build and deletes those of killed builds; the caller holds the lock. Rejects with the file
 * system error.
 */
export async function createBuildFolder(graphsFolder: string, run: string): Promise<BuildFolder> {
  await makeFolder(graphsFolder);
  await removeLeftovers(graphsFolder);
  const path = join(graphsFolder, `${buildingPrefix}${await ownTag()}-${run}`);
  const store = join(path, 'graph.duckdb');
  // Its name becomes a database name, which must not collide with user tables.
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
      await syncToDisk(graphsFolder).catch(() => undefined); // Windows cannot open folders.
      return published;
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** Deletes the files of a build, so that it can start again. */
export async function emptyBuild({ path }: Pick<BuildFolder, 'path'>): Promise<void> {
  for (const name of await readdir(path)) {
    await rm(join(path, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The process tag in the name of a build folder; undefined for other names. */
export function builderOf(name: string): string | undefined {
  return buildingPattern.exec(name)?.[1];
}

const buildingPattern = new RegExp(String.raw`^\.building-(${tagPattern})-`);

/**
 * Deletes the folders of killed builds.
 * @param pid of one process; without it all of them, for which the caller must hold the lock.
 */
export async function removeLeftovers(graphsFolder: string, pid?: number): Promise<void> {
  const names = await readdir(graphsFolder).catch(() => []);
  const leftovers = names.filter((name) =>
    pid === undefined ? name.startsWith(buildingPrefix) : isOfProcess(builderOf(name), pid),
  );
  await Promise.all(leftovers.map((name) => rm(join(graphsFolder, name), { recursive: true, force: true })));
}

/** Deletes all stores of an entity graph but the given ones. An open store is deleted later. */
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
