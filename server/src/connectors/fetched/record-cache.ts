import { createHash, randomUUID } from 'node:crypto';
import { copyFile, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { insideFolder } from '../../files/follow-links.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import type { ObjectRead } from '../../query/compiled-query.ts';
import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
import type { ChangeReader } from './record-source.ts';
import type { FetchTarget } from './load-segment.ts';

/** Fetched records of a read as they are kept from one import to the next. */
export interface KeptRecords {
  /** From where changes are to be read. */
  readonly mark: string;
  /** Milliseconds since the epoch of the last import that read all. */
  readonly fullAt: number;
  /** From when on the filters were used then: those that move with the time are used as they were. */
  readonly at: number;
  /**
   * What became of the source's sums: `doubted` where they were others than those of the records even after all were read, `too slow` where
   * they are not to be had in time.
   */
  readonly sums?: 'doubted' | 'too slow';
  /** Name of a Parquet file beside. */
  readonly file: string;
}

/** Whether not so long ago all was read that all has to be read again. A time to come is that of a clock that has been set back since. */
export function isFresh(
  { fullAt, at }: KeptRecords,
  { fullEveryMs }: Pick<ChangeReader, 'fullEveryMs'>,
  now = Date.now(),
): boolean {
  return now - fullAt <= fullEveryMs && now >= Math.max(fullAt, at);
}

/** What is kept of one read: a description and a file with the records, both swapped in whole. */
export interface RecordCache {
  /** Undefined when nothing is kept, or nothing that can be used. */
  find(): Promise<KeptRecords | undefined>;
  /** Fills an empty table of the read with what is kept. Rejects when the file is damaged or gone. */
  load(kept: KeptRecords, target: FetchTarget, table: string): Promise<void>;
  save(target: FetchTarget, table: string, kept: Omit<KeptRecords, 'file'>): Promise<void>;
  /** Keeps another description of the same records. */
  renew(kept: KeptRecords): Promise<void>;
  /** Removes what is kept, if anything. */
  forget(): Promise<void>;
}

/** Changes when records that earlier versions have kept cannot be used any more: 2 since numbers and booleans of JSON are read. */
const valuesVersion = 2;

/** Reads of one data object of which records are kept: other graphs may need other columns and rows of it. */
const mostReads = 6;

/** Where records are kept. */
export interface RecordFolder {
  /** That of the data source; it is made when something is kept. */
  readonly folder: string;
  /** The folder out of which no link on the way may lead. */
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

  const describe = (kept: KeptRecords): Promise<void> => writeFileAtomic(description, JSON.stringify(kept));

  return {
    async find() {
      try {
        const kept = JSON.parse(
          await readFile(await insideFolder(description, within), 'utf8'),
        ) as Partial<KeptRecords>;
        const isDated = typeof kept.fullAt === 'number' && typeof kept.at === 'number';
        const isWhole = isDated && typeof kept.mark === 'string';
        return isWhole && typeof kept.file === 'string' ? (kept as KeptRecords) : undefined;
      } catch {
        return undefined;
      }
    },
    async load({ file }, target, table) {
      const path = passage(target);
      try {
        // What a description says is not to lead out of the folder.
        await copyFile(await insideFolder(join(folder, basename(file)), within), path);
        const list = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
        const from = `read_parquet(${quoteLiteral(path, 'duckdb')})`;
        await target.run(`INSERT INTO temp.${quoteIdentifier(table)} SELECT ${list} FROM ${from}`);
      } finally {
        await rm(path, { force: true });
      }
    },
    async save(target, table, kept) {
      await makeFolder(await insideFolder(folder, within));
      const path = passage(target);
      const file = `${base}.${randomUUID()}.parquet`;
      try {
        await target.run(
          `COPY (SELECT * FROM temp.${quoteIdentifier(table)}) TO ${quoteLiteral(path, 'duckdb')} (FORMAT parquet)`,
        );
        await moveFile(path, join(folder, file));
        await describe({ ...kept, file });
      } catch (error) {
        // What was kept before is still described, and whole.
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

/** Also from one disk to another, and whole at its place even then. */
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

/** Earlier files of this read, and those of reads of the data object that nobody has needed for the longest time. */
async function removeOld(folder: string, family: string, base: string, file: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(family));
  const outdated = names.filter((name) => name.startsWith(`${base}.`) && name !== file && name !== `${base}.json`);
  const others = names.filter((name) => name.endsWith('.json') && name !== `${base}.json`);
  const stated = await Promise.all(others.map(async (name) => ({ name, fullAt: await fullAtOf(join(folder, name)) })));
  const surplus = stated.sort((one, other) => other.fullAt - one.fullAt).slice(mostReads - 1);
  const surplusNames = surplus.flatMap(({ name }) => names.filter((each) => each.startsWith(name.slice(0, -4))));
  await Promise.all([...outdated, ...surplusNames].map((name) => rm(join(folder, name), { force: true })));
}

async function fullAtOf(path: string): Promise<number> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as KeptRecords).fullAt;
  } catch {
    return 0;
  }
}
