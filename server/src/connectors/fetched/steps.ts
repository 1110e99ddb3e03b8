import type { CompiledQuery, ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import { plannedRead, serves } from '../../query/object-reads.ts';
import type { OperationOptions, QueryPurpose } from '../connector.ts';
import { cappedSql } from '../embedded/preview-sql.ts';
import { countSql, loadSql } from '../embedded/load-sql.ts';
import { cacheOf } from './fetch-object.ts';
import { createTableSql, dropTableSql } from './fetched-table.ts';
import { setLimitSql } from '../../store/retry-with-more-memory.ts';
import { readingLimit } from './reading-memory-limit.ts';
import { allThreadsSql, singleThreadSql } from './single-thread.ts';
import { cacheableRead } from './cacheable-read.ts';
import { describeQuery } from './pull.ts';
import { type CachedRecords, isFresh } from './record-cache.ts';
import { type ReadFinder, dropViewSql, readFinder, viewSql } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';
import { countKeysSql, countRowsSql, keyOfRead } from './stable-fetch.ts';
import { insertSql } from './load-segment.ts';

/**
 * The requests that fetch the records, then the exact statements that run on them, except for paths of temporary files.
 */
export async function fetchedSteps(
  source: RecordSource,
  query: CompiledQuery,
  purpose: QueryPurpose,
  stateFolder?: string,
  options: OperationOptions = {},
): Promise<readonly QueryStep[]> {
  const findReads = readFinder(source);
  const reads = await findReads(query, options);
  const core = step('core', 'Core query, on the fetched records', query.sql);
  if (purpose.kind === 'preview') {
    const requests: QueryStep[] = [];
    for (const read of reads) requests.push(...(await source.requests(read, purpose)));
    const title = `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`;
    return [...requests, core, step('wrap', title, cappedSql(query, purpose.limit))];
  }
  const asCacheable = (read: ObjectRead): ObjectRead => cacheableRead(source, stateFolder, read);
  const requestsOf = async (needed: ObjectRead): Promise<readonly QueryStep[]> => {
    const cached = await cachedRecords(source, needed, stateFolder);
    return source.requests({ ...needed, at: cached?.at ?? Date.now() }, purpose, cached?.mark, options);
  };
  const title = 'Executed: the core query into a table, with casts to the types of a graph';
  const columns = await describeQuery(query, reads, source);
  const { table = 'staged', queries = [] } = purpose;
  const staged = [
    step('wrap', title, loadSql(query, table, columns, undefined).sql),
    step('setup', 'What it has read', countSql(table)),
  ];
  // A single query shows its own reads, an import its combined reads.
  if (purpose.table === undefined) {
    const requests: QueryStep[] = [];
    for (const read of reads) requests.push(...(await requestsOf(asCacheable(plannedRead(read, queries)))));
    return [...requests, core, ...staged];
  }
  const { tables, ended } = await plannedFetches(findReads, queries, query, asCacheable);
  const prepared: QueryStep[] = [];
  const fetching: QueryStep[] = [];
  for (const { isFetched, name, read } of tables) {
    const { dataObject, columns } = read;
    if (isFetched) {
      prepared.push(step('setup', `A table for the records of ${dataObject}`, createTableSql(name, columns)));
      fetching.push(
        ...(await requestsOf(read)),
        ...takingIn(source, name, read),
        ...(await counting(source, name, read)),
      );
    }
    prepared.push(
      step('setup', `The records of ${dataObject} as the query names them`, viewSql(dataObject, name, read.proof)),
    );
  }
  const restored = step('setup', 'As much memory as before', setLimitSql('<as before>'));
  const isJoined = reads.length > 1;
  return [
    step('setup', 'Little memory while records are read', setLimitSql(readingLimit)),
    step('setup', 'One thread while they are read', singleThreadSql),
    ...prepared,
    step('setup', 'Its columns, found while records are read', `DESCRIBE ${query.sql}`),
    ...fetching,
    step('setup', 'All threads again', allThreadsSql),
    // Joins run in memory meanwhile.
    ...(isJoined ? [restored] : []),
    core,
    ...staged,
    ...(isJoined ? [] : [restored]),
    ...tables.map(({ read }) => step('setup', `The name ${read.dataObject} goes`, dropViewSql(read.dataObject))),
    ...ended.map((name) => step('setup', 'Records that no query needs any more go', dropTableSql(name))),
  ];
}

function takingIn(source: RecordSource, name: string, read: ObjectRead): readonly QueryStep[] {
  const segment = { path: `<${name}>.jsonl`, longest: 0 };
  const title = 'Records on their way into it, once for each megabyte of them';
  const cells = insertSql(name, read, { kind: 'cells', ...segment });
  const shape = source.jsonShape?.(read);
  if (!shape) return [step('setup', title, cells)];
  return [
    step('setup', `${title} that is as it was sent`, insertSql(name, read, { kind: shape, ...segment })),
    step('setup', `${title} that had to be looked into`, cells),
  ];
}

/** How changes of a list during the read are detected; a changed list is read again. */
async function counting(source: RecordSource, name: string, read: ObjectRead): Promise<readonly QueryStep[]> {
  if ((await source.pagesByPlace?.(read)) === undefined) return [];
  const key = keyOfRead(read);
  const rows = step('setup', 'How many records came', countRowsSql(name));
  return key.length === 0 ? [rows] : [rows, step('setup', 'How many of them differ', countKeysSql(name, key))];
}

/** The row cache that an import would use. */
async function cachedRecords(
  source: RecordSource,
  read: ObjectRead,
  stateFolder: string | undefined,
): Promise<CachedRecords | undefined> {
  const { changes } = source;
  if (!changes || stateFolder === undefined || !changes.tells(read)) return undefined;
  const cached = await cacheOf(source, changes, read, stateFolder).find();
  return cached && isFresh(cached, changes) ? cached : undefined;
}

function step(role: QueryStep['role'], title: string, text: string): QueryStep {
  return { kind: 'sql', dialect: 'duckdb', role, title, text };
}

/** Records needed by one query of an import. */
interface PlannedFetches {
  /** The tables of its data objects, in its order. */
  readonly tables: readonly PlannedTable[];
  /** All tables, for the last query, which may drop them. */
  readonly ended: readonly string[];
}

interface PlannedTable {
  /** With the columns that validate the row cache, if enabled. */
  readonly read: ObjectRead;
  readonly name: string;
  /** Whether it is fetched for this query, the first one that needs it. */
  readonly isFetched: boolean;
}

/** Which query of an import fetches which records: each data object is fetched once. */
async function plannedFetches(
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
