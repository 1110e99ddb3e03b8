import type { CompiledQuery, ObjectRead } from '../../query/compiled-query.ts';
import { plannedRead, serves } from '../../query/object-reads.ts';
import type { ReadFinder } from './query-objects.ts';

/** What one query of an import needs. */
export interface PlannedFetches {
  /** The tables of its data objects, in its order. */
  readonly tables: readonly PlannedTable[];
  /** All tables, when it is the last query: they go with it. */
  readonly ended: readonly string[];
}

export interface PlannedTable {
  /** With what proves the records in the next import, where they are kept for it. */
  readonly read: ObjectRead;
  readonly name: string;
  /** Whether it is fetched for this query; those before have not needed it. */
  readonly isFetched: boolean;
}

/** Which records an import with these queries fetches when it comes to one of them: a data object is fetched once for all of them. */
export async function plannedFetches(
  findReads: ReadFinder,
  queries: readonly CompiledQuery[],
  query: CompiledQuery,
  kept: (read: ObjectRead) => ObjectRead,
): Promise<PlannedFetches> {
  const known = new Map<string, Omit<PlannedTable, 'isFetched'>>();
  const names: string[] = [];
  const place = queries.indexOf(query);
  // A query that only counts what others read comes behind them.
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
      const table = { read: kept(plannedRead(read, queries)), name: `fetched ${names.length + 1}` };
      known.set(read.dataObject, table);
      names.push(table.name);
      tables.push({ ...table, isFetched: true });
    }
  }
  return { tables, ended: place === queries.length - 1 ? names : [] };
}
