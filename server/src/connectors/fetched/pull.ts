import type { CompiledQuery, ObjectRead } from '../../query/compiled-query.ts';
import { confineDatabase } from '../../store/sandbox.ts';
import { openSharedScratch } from '../../store/shared-scratch.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, Pull, PullOptions, QueryColumn, StagedColumn } from '../connector.ts';
import { queryColumn, staging as stagedAs } from '../embedded/column-types.ts';
import { countSql, loadSql } from '../embedded/load-sql.ts';
import { refuseRepeatedTexts } from '../embedded/refuse-repeated-texts.ts';
import { createFetchedTable } from './fetched-table.ts';
import { withReadingMemoryLimit } from './reading-memory-limit.ts';
import { withSingleThread } from './single-thread.ts';
import { openPartialFetch, type PartialFetch } from './partial-fetch.ts';
import { dropViewSql, placedQueryError, readFinder, viewSql, redactTrace } from './query-objects.ts';
import type { RecordSource } from './record-source.ts';
import { type FetchedQuery, createSharedFetch } from './shared-fetch.ts';

/**
 * Fetches every data object once for all queries of an import, when the first one needs it, and runs the queries on the
 * fetched records, so that elements and relationships see the same data. Loads run one after another.
 */
// eslint-disable-next-line max-lines-per-function -- Loading chooses between a shared and a partial fetch, and between one thread and all, with the same records.
export async function openFetchedPull(
  source: RecordSource,
  staging: StagingDatabase,
  options: PullOptions,
  stateFolder?: string,
): Promise<Pull> {
  options.signal?.throwIfAborted();
  await confine(staging);
  const findReads = readFinder(source);
  const warnings = new Set<string>();
  const onWarning = (warning: string): void => void warnings.add(warning);
  const whole = createSharedFetch({ source, pull: options, stateFolder, onWarning });
  let samples = 0;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };

  /**
   * Creates views of a query's data objects with the records of a sample; resolves to a function that ends fetching.
   */
  async function fetchPart(
    target: StagingDatabase,
    query: CompiledQuery,
    reads: readonly ObjectRead[],
    wanted: number,
    { signal, sample }: LoadOptions,
  ): Promise<PartialFetch> {
    const prefix = `sample ${(samples += 1)} `;
    const work = { source, target, signal, wanted, prefix, onWarning, since: options.since };
    const partial = await openPartialFetch(work, reads);
    try {
      // The sample of a relationship: records related to the first rows of its source.
      if (sample === undefined) await partial.more(wanted);
      else await fetchSample(target, query, partial, sample);
    } catch (error) {
      await partial.close();
      throw error;
    }
    return partial;
  }

  async function fetchSample(
    target: StagingDatabase,
    query: CompiledQuery,
    partial: PartialFetch,
    sample: number,
  ): Promise<void> {
    for (let wanted = sample; !(await partial.more(wanted)); wanted *= 8) {
      const prefix = 'SELECT count(*) AS rows FROM (\n';
      const [found] = await target
        .query(`${prefix}${query.sql}\n LIMIT ${sample}) AS q`)
        .catch(failed(query, prefix.length));
      if (Number(found?.['rows']) >= sample) return;
    }
  }

  async function load(query: CompiledQuery, table: string, loadOptions: LoadOptions): Promise<LoadResult> {
    const { signal, sample, onRows } = loadOptions;
    const { sample: wanted } = options;
    const reads = await findReads(query, { signal });
    let partial: PartialFetch | undefined;
    const fetch = async (target: StagingDatabase): Promise<FetchedQuery<readonly QueryColumn[]>> => {
      const describe = (): Promise<readonly QueryColumn[]> => described(target, query);
      if (wanted === undefined) return whole.fetch(target, reads, describe, loadOptions);
      partial = await fetchPart(target, query, reads, wanted, loadOptions);
      return { described: await describe(), rows: undefined, complete: Promise.resolve() };
    };
    const select = async (
      target: StagingDatabase,
      { described: columns, complete }: FetchedQuery<readonly QueryColumn[]>,
    ): Promise<LoadResult> => {
      if (reads.length > 1) await refuseRepeatedTexts(target, query, reads, columns);
      const { sql, coreOffset } = loadSql(query, table, columns, sample);
      await target.run(sql, { signal }).catch(failed(query, coreOffset));
      const [count] = await target.query(countSql(table));
      const sourceRows = Number(count?.['rows'] ?? 0);
      onRows?.(sourceRows);
      await complete;
      return { sourceRows, columns: columns.map(stagedColumn), warnings: [...warnings] };
    };
    try {
      // Joins run in memory meanwhile.
      const isJoined = reads.length > 1;
      const work = await withReadingMemoryLimit(staging, async (target) => {
        const found = await withSingleThread(target, async () => {
          const each = await fetch(target);
          const isSmall = !isJoined && each.rows !== undefined && each.rows <= rowGroup;
          return isSmall ? { result: await select(target, each) } : each;
        });
        return isJoined || 'result' in found ? found : { result: await select(target, found) };
      });
      return 'result' in work ? work.result : await select(staging, work);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw redactTrace(error, source);
    } finally {
      // A failure here must not hide the original one.
      for (const { dataObject } of reads) await staging.run(dropViewSql(dataObject)).catch(() => undefined);
      await partial?.close();
    }
  }

  async function described(target: StagingDatabase, query: CompiledQuery): Promise<readonly QueryColumn[]> {
    const rows = await target.query(`DESCRIBE ${query.sql}`).catch(failed(query, 'DESCRIBE '.length));
    return rows.map((row) => queryColumn(String(row['column_name']), String(row['column_type'])));
  }

  const failed = (query: CompiledQuery, coreOffset: number) => async (error: unknown) => {
    throw placedQueryError(error, source, query, coreOffset);
  };

  return {
    async columnsOf(query, { signal }) {
      try {
        const columns = await describeQuery(query, await findReads(query, { signal }), source);
        return columns.map(stagedColumn);
      } catch (error) {
        throw redactTrace(error, source);
      }
    },
    load: (query, table, loadOptions) => inTurn(() => load(query, table, loadOptions)),
    async close() {
      await last;
      await whole.close();
    },
  };
}

/**
 * Size of DuckDB's row groups: smaller tables do not profit from several threads, which would cost a third of the time.
 */
const rowGroup = 122_880;

/** Result columns of a query, determined on empty tables. */
export async function describeQuery(
  query: CompiledQuery,
  reads: readonly ObjectRead[],
  source: RecordSource,
): Promise<readonly QueryColumn[]> {
  const session = await openSharedScratch();
  try {
    for (const [index, read] of reads.entries()) {
      await createEmpty(session, read, `fetched ${index + 1}`);
    }
    const columns = await session.describe(query.sql);
    return columns.map(({ name, type }) => queryColumn(name, type));
  } catch (error) {
    throw placedQueryError(error, source, query, 0);
  } finally {
    await session.close();
  }
}

async function createEmpty(
  session: { run(sql: string): Promise<unknown> },
  read: ObjectRead,
  table: string,
): Promise<void> {
  const target = { run: (sql: string) => session.run(sql), query: async () => [], temporaryFolder: '' };
  await createFetchedTable(target, table, read);
  await session.run(viewSql(read.dataObject, table));
}

function stagedColumn(column: QueryColumn, index: number): StagedColumn {
  return { ...column, stagedAs: `c${index + 1}`, stagedType: stagedAs('', column.type).stagedType };
}

/** User SQL can read fetched records only. */
async function confine(staging: StagingDatabase): Promise<void> {
  if (staging.confine) return staging.confine({ files: [], folders: [staging.temporaryFolder] });
  const [setting] = await staging.query("SELECT current_setting('enable_external_access') AS open");
  if (setting?.['open'] === false) return;
  await confineDatabase(staging, { files: [], folders: [staging.temporaryFolder] });
}
