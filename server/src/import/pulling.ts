import { thousands } from '../../../protocol/thousands.ts';
import type { LoadOptions, LoadResult, Pull } from '../connectors/connector.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { quoteIdentifier } from '../query/quote.ts';
import { zoneOfResult } from '../query/result-zones.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import { type PlannedPull, plannedPulls } from './plan-import.ts';
import { pulledShare } from './pulled-share.ts';
import { QueryFailure } from './query-failure.ts';
import type { StepRunner } from './step-runner.ts';

/** The pull of each data source. */
export interface CurrentPulls {
  /** Snapshots of the sources that could be opened. */
  readonly snapshots: ReadonlyMap<string, Pull>;
  /** Where rows come from: a snapshot, kept rows, or unchanged rows of the row cache and the snapshot. */
  readonly current: Map<string, Pull>;
  /** When the rows of the other sources were read. */
  readonly kept: ReadonlyMap<string, string>;
  readonly warnings: Set<string>;
}

interface PullingParts {
  readonly staging: BuildDatabase;
  readonly runner: StepRunner;
  readonly job: ImportWithoutFiles;
  readonly place: { readonly dialect: BuildDialect; readonly timeZone: string };
}

/** A running pull: its parts, and what it has done so far. */
export interface Pulling extends PullingParts, CurrentPulls {
  readonly pulls: { name: string; sourceRows: number; stagedRows: number }[];
  readonly rowsRead: Map<string, number>;
  pullOf(dataSource: string): Pull;
  load(planned: PlannedPull, sample?: number): Promise<LoadResult>;
  /** The share of the queries and their rows that have been pulled. */
  share(): number;
}

export function createPulling({
  current: sources,
  ...parts
}: PullingParts & { readonly current: CurrentPulls }): Pulling {
  const { staging, runner, job, place } = parts;
  const { signal, progress } = job;
  const planned = plannedPulls(job.plan);
  const pulled = pulledShare(planned.map(({ table }) => job.expectedRows?.get(table)));
  const pulls: { name: string; sourceRows: number; stagedRows: number }[] = [];
  const rowsRead = new Map<string, number>();
  const share = (rows = 0): number => pulled.at(rows);
  const pullOf = (dataSource: string): Pull => {
    const pull = sources.current.get(dataSource);
    if (!pull) throw new Error(`The data source ${dataSource} was not opened.`);
    return pull;
  };

  async function pullTable(
    { name, dataSource, query, table }: PlannedPull,
    options: Omit<LoadOptions, 'signal'>,
  ): Promise<LoadResult> {
    const loaded = await pullOf(dataSource)
      .load(query, table, { signal, ...options })
      .catch((error: unknown) => {
        throw new QueryFailure(error, query, name);
      });
    const [row] = job.withoutCounts === true ? [] : await staging.query(countStagedRowsSql(table));
    pulls.push({ name, sourceRows: loaded.sourceRows, stagedRows: Number(row?.['rows'] ?? loaded.sourceRows) });
    return loaded;
  }

  async function load(pull: PlannedPull, sample?: number): Promise<LoadResult> {
    const { name, dataSource, table } = pull;
    progress.report('data pull', name, share(), 0);
    const onRows = throttled((rows) => progress.report('data pull', name, share(rows), rows));
    const onProgress = (message: string): void => progress.report('data pull', `${name}: ${message}`, share());
    const pullRows = (): Promise<LoadResult> => pullTable(pull, { onRows, onProgress, sample });
    const loaded = await runner.timed(table, pullRows, ({ sourceRows, isUnchanged = false, cachedRows }) => ({
      rows: sourceRows,
      ...(isUnchanged && { isUnchanged }),
      ...(cachedRows !== undefined && { keptRows: cachedRows }),
    }));
    pulled.next();
    for (const warning of loaded.warnings) sources.warnings.add(warning);
    const { sourceRows, isUnchanged = false, cachedRows } = loaded;
    rowsRead.set(dataSource, (rowsRead.get(dataSource) ?? 0) + sourceRows);
    const unread = cachedRows === undefined ? '' : `: ${thousands(cachedRows)} rows unchanged`;
    const done = isUnchanged ? `${name}: unchanged` : `${name}${unread}`;
    progress.report('data pull', done, share(), sourceRows);
    const source = job.sources.find((each) => each.name === dataSource);
    return inZone(loaded, pull.query, source?.connector.timeZone ?? place.timeZone, place.timeZone);
  }

  return { ...parts, ...sources, pulls, rowsRead, pullOf, load, share };
}

/** Marks the times whose zone is not that of the build: that of their entry, else that of their data source. */
export function inZone(
  loaded: LoadResult,
  query: Pick<CompiledQuery, 'columns' | 'zones'>,
  ofSource: string,
  common: string,
): LoadResult {
  const columns = loaded.columns.map((column, index) => {
    const timeZone = zoneOfResult(query, query.columns[index] ?? '', ofSource);
    return timeZone === common ? column : { ...column, timeZone };
  });
  return { ...loaded, columns };
}

/** Counts the staged rows, to compare them with the source's count. */
export function countStagedRowsSql(table: string): string {
  return `SELECT count(*) AS rows FROM ${quoteIdentifier(table)}`;
}

/** At most five reports per second. */
function throttled(report: (rows: number) => void): (rows: number) => void {
  let next = 0;
  return (rows) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 200;
    report(rows);
  };
}
