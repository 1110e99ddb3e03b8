import type { ObjectRead } from '../../query/compiled-query.ts';
import { plannedRead, serves } from '../../query/object-reads.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, PullOptions } from '../connector.ts';
import { fetchObject } from './fetch-object.ts';
import { type FetchedTable, createFetchedTable } from './fetched-table.ts';
import { cacheableRead } from './cacheable-read.ts';
import { viewSql } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';

/** A query with tables for its records. */
export interface FetchedQuery<Described> {
  /** Result of `describe`. */
  readonly described: Described;
  /** Number of records fetched for it; undefined when some were already there. */
  readonly rows: number | undefined;
  /** See `FetchedRecords`. */
  readonly complete: Promise<void>;
}

/** Fetches every data object once for all queries of an import, when the first one needs it. */
interface SharedFetch {
  /**
   * Creates the views of a query's data objects and fills their tables. `describe` runs when they exist, while records
   * are read; if it fails, reading stops.
   */
  fetch<Described>(
    target: StagingDatabase,
    reads: readonly ObjectRead[],
    describe: () => Promise<Described>,
    options: LoadOptions,
  ): Promise<FetchedQuery<Described>>;
  close(): Promise<void>;
}

interface SharedFetchOptions {
  readonly source: RecordSource;
  readonly pull: PullOptions;
  readonly stateFolder: string | undefined;
  readonly onWarning: (warning: string) => void;
}

export function createSharedFetch({ source, pull, stateFolder, onWarning }: SharedFetchOptions): SharedFetch {
  const fetched = new Map<string, FetchedObject>();
  const made: Promise<FetchedTable>[] = [];

  /** The table of a data object with everything a query needs; filled on first use. */
  function tableFor(target: StagingDatabase, read: ObjectRead): ObjectTable {
    const known = fetched.get(read.dataObject);
    if (known && serves(known.planned, read)) return known;
    const planned = plannedRead(read, pull.queries ?? []);
    const cached = cacheableRead(source, stateFolder, planned);
    const name = `fetched ${made.length + 1}`;
    const table = createFetchedTable(target, name, cached);
    made.push(table);
    return { name, planned, read: cached, unfilled: table };
  }

  return {
    async fetch(target, reads, describe, { signal, onRows, onProgress }) {
      // Statements run one after another, while the first records arrive.
      const tables: ObjectTable[] = [];
      const statements: Promise<unknown>[] = [];
      for (const read of reads) {
        const table = tableFor(target, read);
        tables.push(table);
        if (table.unfilled) statements.push(table.unfilled);
        statements.push(target.run(viewSql(read.dataObject, table.name, table.read.proof)));
      }
      const describing = Promise.all(statements).then(describe);
      const stop = new AbortController();
      describing.catch((error: unknown) => stop.abort(error));
      const stopping = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      const { since, isFull } = pull;
      const work = { source, target, signal: stopping, onWarning, onProgress, stateFolder, since, isFull };
      let complete: Promise<void> = Promise.resolve();
      let rows: number | undefined = 0;
      try {
        for (const { name, planned, read, unfilled } of tables) {
          if (!unfilled) {
            rows = undefined;
            continue;
          }
          // One data object after another.
          await complete;
          let count = 0;
          const tell = (sofar: number): void => {
            count = sofar;
            onRows?.(sofar);
          };
          ({ complete } = await fetchObject({ ...work, onRows: tell }, unfilled, read));
          // The number of records from the row cache is not reported.
          rows = rows === undefined || count === 0 ? undefined : rows + count;
          fetched.set(read.dataObject, { name, planned, read });
          complete.catch(() => fetched.delete(read.dataObject));
        }
      } catch (error) {
        // An invalid query is the reason why fetching stopped.
        await describing;
        throw error;
      }
      return { described: await describing, rows, complete };
    },
    async close() {
      fetched.clear();
      for (const table of made) await table.then((each) => each.discard()).catch(() => undefined);
    },
  };
}

/** The table of a data object. */
interface FetchedObject {
  readonly name: string;
  /** The columns that the queries need. */
  readonly planned: ObjectRead;
  /** The columns that are read, including those that validate the row cache. */
  readonly read: ObjectRead;
}

interface ObjectTable extends FetchedObject {
  readonly unfilled?: Promise<FetchedTable>;
}
