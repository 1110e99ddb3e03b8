import type { ObjectRead } from '../../query/compiled-query.ts';
import { plannedRead, serves } from '../../query/object-reads.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, PullOptions } from '../connector.ts';
import { fetchObject } from './fetch-object.ts';
import { type FetchedTable, createFetchedTable } from './fetched-table.ts';
import { keptRead } from './kept-read.ts';
import { viewSql } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';

/** A query whose records are in tables, under the names that it has for them. */
export interface FetchedQuery<Described> {
  /** What the query was described as meanwhile. */
  readonly described: Described;
  /** Records that were fetched for it; undefined when that is not known, as some were there already. */
  readonly rows: number | undefined;
  /** As that of `FetchedRecords`. */
  readonly complete: Promise<void>;
}

/** Fetches every data object once for all queries of an import, when the first of them needs it. */
export interface WholeFetch {
  /**
   * Makes the views of a query's data objects and fills their tables. `describe` runs once they are there, while records are
   * read; when it fails, no more of them are.
   */
  fetch<Described>(
    target: StagingDatabase,
    reads: readonly ObjectRead[],
    describe: () => Promise<Described>,
    options: LoadOptions,
  ): Promise<FetchedQuery<Described>>;
  close(): Promise<void>;
}

export interface WholeFetchOptions {
  readonly source: RecordSource;
  readonly pull: PullOptions;
  readonly stateFolder: string | undefined;
  readonly onWarning: (warning: string) => void;
}

export function createWholeFetch({ source, pull, stateFolder, onWarning }: WholeFetchOptions): WholeFetch {
  const fetched = new Map<string, FetchedObject>();
  const made: Promise<FetchedTable>[] = [];

  /** The table with what a query needs of a data object; it is still to be filled where that has not been fetched yet. */
  function tableFor(target: StagingDatabase, read: ObjectRead): ObjectTable {
    const known = fetched.get(read.dataObject);
    if (known && serves(known.planned, read)) return known;
    const planned = plannedRead(read, pull.queries ?? []);
    const kept = keptRead(source, stateFolder, planned);
    const name = `fetched ${made.length + 1}`;
    const table = createFetchedTable(target, name, kept);
    made.push(table);
    return { name, planned, read: kept, unfilled: table };
  }

  return {
    async fetch(target, reads, describe, { signal, onRows, onProgress }) {
      // The statements run one behind the other, while the first records are on their way.
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
          // One data object after the other.
          await complete;
          let count = 0;
          const tell = (sofar: number): void => {
            count = sofar;
            onRows?.(sofar);
          };
          ({ complete } = await fetchObject({ ...work, onRows: tell }, unfilled, read));
          // Of what the import before has kept nobody says how many they are.
          rows = rows === undefined || count === 0 ? undefined : rows + count;
          fetched.set(read.dataObject, { name, planned, read });
          complete.catch(() => fetched.delete(read.dataObject));
        }
      } catch (error) {
        // What is wrong with the query is why nothing more was fetched.
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
  /** What the queries need of it. */
  readonly planned: ObjectRead;
  /** What is read: with what proves it in the next import. */
  readonly read: ObjectRead;
}

interface ObjectTable extends FetchedObject {
  readonly unfilled?: Promise<FetchedTable>;
}
