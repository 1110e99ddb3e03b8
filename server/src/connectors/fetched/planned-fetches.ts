import type { CompiledQuery, ObjectRead } from '../../query/compiled-query.ts';
import { plannedRead, serves } from '../../query/object-reads.ts';
import type { ReadFinder } from './query-objects.ts';

/** Records needed by one query of an import. */
export interface PlannedFetches {
  /** The tables of its data objects, in its order. */
  readonly tables: readonly PlannedTable[];
  /** All tables, for the last query, which may drop them. */
  readonly ended: readonly string[];
}

export interface PlannedTable {
  /** With the columns that validate the row cache, if enabled. */
  readonly read: ObjectRead;
  readonly name: string;
  /** Whether it is fetched for this query, the first one that needs it. */
  readonly isFetched: boolean;
}

/** Which query of an import fetches which records: each data object is fetched once. */
export async function plannedFetches(
  findReads: ReadFinder,
  queries: readonly CompiledQuery[],
  query: CompiledQuery,
  cacheable: (read: ObjectRead) => ObjectRead,
): Promise<PlannedFetches> {
  const known = new Map<string, Omit<PlannedTable, 'isFetched'>>();
  const names: string[] = [];
  const place = queries.indexOf(query);
  // A query that only counts records of others comes after them.
  const inTurn = place < 0 ? [...queries, query] : queries.slice(0, place + 1);
  let tables: PlannedTable[] = [];
  for (const each of inTurn) {
    tables = [];
    for (const read of await findReads(each, {})) {
      const before = known.get(read.dataObject);
      if (before && serves(before.read, read)) {
        tables.push({ ...before, isFetched: false });
        continue;
      }
      const table = { read: cacheable(plannedRead(read, queries)), name: `fetched ${names.length + 1}` };
      known.set(read.dataObject, table);
      names.push(table.name);
      tables.push({ ...table, isFetched: true });
    }
  }
  return { tables, ended: place === queries.length - 1 ? names : [] };
}
