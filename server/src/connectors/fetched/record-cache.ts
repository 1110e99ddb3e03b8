import { createHash, randomUUID } from 'node:crypto';
import { copyFile, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { insideFolder } from '../../files/follow-links.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import type { ObjectRead } from '../../query/compiled-query.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import type { ChangeReader } from './record-source.ts';
import type { FetchTarget } from './load-segment.ts';

/** Description of the cached records of a read. */
export interface CachedRecords {
  /** Mark from which changes are read. */
  readonly mark: string;
  /** Milliseconds since the epoch of the last full read. */
  readonly fullAt: number;
  /** Reference time of relative filters at the last full read. */
  readonly at: number;
  /**
   * State of the source's sums: `doubted` when they differ from those of the records even after a full read, `too slow`
   * when they take too long.
   */
  readonly sums?: 'doubted' | 'too slow' | undefined;
  /** Name of the Parquet file. */
  readonly file: string;
}

/** Whether the last full read is recent enough. A time in the future means that the clock was set back. */
export function isFresh(
  { fullAt, at }: CachedRecords,
  { fullEveryMs }: Pick<ChangeReader, 'fullEveryMs'>,
  now = Date.now(),
): boolean {
  return now - fullAt <= fullEveryMs && now >= Math.max(fullAt, at);
}

/** The row cache of one read: a description and a file with the records, both replaced atomically. */
export interface RecordCache {
  /** Undefined without a usable cache. */
  find(): Promise<CachedRecords | undefined>;
  /** Loads the cached records into an empty table. Rejects for a damaged or missing file. */
  load(cached: CachedRecords, target: FetchTarget, table: string): Promise<void>;
  save(target: FetchTarget, table: string, cached: Omit<CachedRecords, 'file'>): Promise<void>;
  /** Updates the description of the same records. */
  renew(cached: CachedRecords): Promise<void>;
  /** Deletes the cache, if any. */
  forget(): Promise<void>;
}

/** Version of the cache format: 2 since JSON numbers and booleans are read. */
const valuesVersion = 2;

/** Maximum number of cached reads per data object, as several graphs may need different columns and rows. */
const maxReads = 6;

/** Cache location. */
interface RecordFolder {
  /** Folder of the data source, created on demand. */
  readonly folder: string;
  /** The folder that links must not leave. */
  readonly within: string;
}

export function recordCache({ folder, within }: RecordFolder, identity: string, read: ObjectRead): RecordCache {
  const { dataObject, columns, filters } = read;
  const described = [
    valuesVersion,
    identity,
    dataObject,
    columns.map(({ name, type }) => [name, type]),
    filters ?? null,
  ];
  const hash = createHash('sha256').update(JSON.stringify(described)).digest('hex').slice(0, 24);
  const family = `${encodeURIComponent(dataObject)}.`;
  const base = `${family}${hash}`;
  const description = join(folder, `${base}.json`);
  /** DuckDB reads and writes in its own folder only. */
  const passage = (target: FetchTarget): string => join(target.temporaryFolder, `${randomUUID()}.parquet`);

  const describe = (cached: CachedRecords): Promise<void> => writeFileAtomic(description, JSON.stringify(cached));

  return {
    async find() {
      try {
        const cached = JSON.parse(
          await readFile(await insideFolder(description, within), 'utf8'),
        ) as Partial<CachedRecords>;
        const isDated = typeof cached.fullAt === 'number' && typeof cached.at === 'number';
        const isWhole = isDated && typeof cached.mark === 'string';
        return isWhole && typeof cached.file === 'string' ? (cached as CachedRecords) : undefined;
      } catch {
        return undefined;
      }
    },
    async load({ file }, target, table) {
      const path = passage(target);
      try {
        // Paths in a description must not lead out of the folder.
        await copyFile(await insideFolder(join(folder, basename(file)), within), path);
        const list = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
        const from = `read_parquet(${embeddedLiteral(path)})`;
        await target.run(`INSERT INTO temp.${quoteIdentifier(table)} SELECT ${list} FROM ${from}`);
      } finally {
        await rm(path, { force: true });
      }
    },
    async save(target, table, cached) {
      await makeFolder(await insideFolder(folder, within));
      const path = passage(target);
      const file = `${base}.${randomUUID()}.parquet`;
      try {
        await target.run(
          `COPY (SELECT * FROM temp.${quoteIdentifier(table)}) TO ${embeddedLiteral(path)} (FORMAT parquet)`,
        );
        await moveFile(path, join(folder, file));
        await describe({ ...cached, file });
      } catch (error) {
        // The previous cache stays valid until then.
        await rm(join(folder, file), { force: true });
        throw error;
      } finally {
        await rm(path, { force: true });
      }
      await removeOld(folder, family, base, file);
    },
    renew: describe,
    async forget() {
      const names = await readdir(await insideFolder(folder, within)).catch(() => []);
      const own = names.filter((name) => name.startsWith(`${base}.`));
      await Promise.all(own.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}

/** Replaces `to` atomically, between disks as well. */
async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    const draft = `${to}.draft`;
    try {
      await copyFile(from, draft);
      await rename(draft, to);
    } finally {
      await rm(draft, { force: true });
    }
  });
}

/** Earlier files of this read, and the least recently used reads of the data object. */
async function removeOld(folder: string, family: string, base: string, file: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(family));
  const outdated = names.filter((name) => name.startsWith(`${base}.`) && name !== file && name !== `${base}.json`);
  const others = names.filter((name) => name.endsWith('.json') && name !== `${base}.json`);
  const stated = await Promise.all(others.map(async (name) => ({ name, fullAt: await fullAtOf(join(folder, name)) })));
  const surplus = stated.sort((one, other) => other.fullAt - one.fullAt).slice(maxReads - 1);
  const surplusNames = surplus.flatMap(({ name }) => names.filter((each) => each.startsWith(name.slice(0, -4))));
  await Promise.all([...outdated, ...surplusNames].map((name) => rm(join(folder, name), { force: true })));
}

async function fullAtOf(path: string): Promise<number> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as CachedRecords).fullAt;
  } catch {
    return 0;
  }
}
