import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompiledQuery, ObjectRead } from '../../query/compiled-query.ts';
import { openScratch, type DuckDbSession } from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import type { Preview, PreviewOptions } from '../connector.ts';
import { queryColumn } from '../csv/column-types.ts';
import { cappedSql, inUtc, wrapPrefix } from '../csv/preview.ts';
import { SourceError } from '../source-error.ts';
import { createFetchedTable, type FetchedTable } from './fetched-table.ts';
import { placedQueryError, readFinder, viewSql, withoutSecrets } from './query-objects.ts';
import type { Cells, RecordSource } from './record-source.ts';

const defaultTimeoutMs = 60_000;

/**
 * Runs a query on fetched records in a database of its own, in memory. Of the data object that leads the query only as
 * many records are fetched as it takes to fill the preview; joined ones are fetched whole.
 */
export async function previewFetched(
  source: RecordSource,
  query: CompiledQuery,
  options: PreviewOptions,
): Promise<Preview> {
  const started = performance.now();
  const timeoutMs = options.timeoutMs ?? source.statementTimeoutMs ?? defaultTimeoutMs;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(timedOut(timeoutMs)), timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal;
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-'));
  const session = await openScratch({ temporaryFolder: folder });
  try {
    const reads = await readFinder(source)(query, { signal });
    await lockDatabase(session, { files: [], folders: [folder] });
    const result = await fill({ source, query, session, folder, signal, limit: options.limit }, reads);
    const columns = result.columns.map(({ name, type }) => queryColumn(name, type));
    return {
      columns,
      rows: inUtc(result.rows.slice(0, options.limit), columns, source.timeZone),
      truncated: result.rows.length > options.limit,
      durationMs: Math.round(performance.now() - started),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw withoutSecrets(error, source);
  } finally {
    clearTimeout(timer);
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Work {
  readonly source: RecordSource;
  readonly query: CompiledQuery;
  readonly session: DuckDbSession;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly limit: number;
}

/** Fetches what is joined, then more and more of the leading data object until the preview is full. */
async function fill(work: Work, reads: readonly ObjectRead[]) {
  const { query, session, signal, limit } = work;
  const leading = reads.find(({ leads }) => leads);
  for (const read of reads) if (read !== leading) await openRecords(work, read, reads.indexOf(read)).then(fetchAll);
  const records = leading && (await openRecords(work, leading, reads.indexOf(leading)));
  let wanted = limit + 1;
  try {
    for (;;) {
      const isEnd = records ? await fetchSome(records, wanted) : true;
      const result = await session.table(cappedSql(query, limit), { signal }).catch(async (error: unknown) => {
        throw await placedQueryError(error, work.source, query, wrapPrefix.length);
      });
      if (isEnd || result.rows.length > limit) return await withDescribedTypes(work, result);
      wanted *= 8;
    }
  } finally {
    await records?.iterator.return?.();
  }
}

/** Types as the core query has them, without what the cap around it may change. */
async function withDescribedTypes({ session, query }: Work, result: Awaited<ReturnType<DuckDbSession['table']>>) {
  return { columns: await session.describe(query.sql), rows: result.rows };
}

interface OpenRecords {
  readonly table: FetchedTable;
  readonly iterator: AsyncIterator<readonly Cells[]>;
  readonly signal: AbortSignal;
  fetched: number;
}

async function openRecords(
  { source, session, folder, signal }: Work,
  read: ObjectRead,
  index: number,
): Promise<OpenRecords> {
  const target = {
    run: session.run.bind(session),
    query: session.query.bind(session),
    temporaryFolder: folder,
  };
  const table = await createFetchedTable(target, `fetched ${index + 1}`, read);
  await session.run(viewSql(read.dataObject, table.name));
  const records = source.records(read, { purpose: 'preview', signal, onWarning: () => undefined });
  return { table, iterator: records[Symbol.asyncIterator](), signal, fetched: 0 };
}

async function fetchAll(records: OpenRecords): Promise<void> {
  await fetchSome(records, Infinity);
}

/** Fetches until there are `wanted` records; resolves to whether these are all. */
async function fetchSome(records: OpenRecords, wanted: number): Promise<boolean> {
  let isEnd = false;
  while (!isEnd && records.fetched < wanted) {
    const next = await records.iterator.next();
    isEnd = next.done === true;
    if (next.done) break;
    await records.table.add(next.value, records.signal);
    records.fetched += next.value.length;
  }
  await records.table.flush(records.signal);
  return isEnd;
}

function timedOut(milliseconds: number): SourceError {
  return new SourceError('statement-timeout', `The query took longer than ${milliseconds / 1000} s and was stopped.`, {
    remedy: 'Filter the rows with where, or set a longer statementTimeout for the data source.',
  });
}
