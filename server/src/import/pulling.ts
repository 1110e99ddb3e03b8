import { thousands } from '../../../protocol/thousands.ts';
import type { LoadOptions, LoadResult, Pull } from '../connectors/connector.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import { type PlannedPull, plannedPulls } from './plan-import.ts';
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
  /** The share of the queries that have been pulled. */
  share(): number;
}

export function createPulling({
  current: sources,
  ...parts
}: PullingParts & { readonly current: CurrentPulls }): Pulling {
  const { staging, runner, job, place } = parts;
  const { signal, progress } = job;
  const tasks = plannedPulls(job.plan).length;
  const pulls: { name: string; sourceRows: number; stagedRows: number }[] = [];
  const rowsRead = new Map<string, number>();
  const share = (): number => pulls.length / tasks;
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

  async function load(planned: PlannedPull, sample?: number): Promise<LoadResult> {
    const { name, dataSource, table } = planned;
    const before = share();
    progress.report('data pull', name, before, 0);
    const onRows = throttled((rows) => progress.report('data pull', name, before, rows));
    const onProgress = (message: string): void => progress.report('data pull', `${name}: ${message}`, before);
    const pulled = (): Promise<LoadResult> => pullTable(planned, { onRows, onProgress, sample });
    const loaded = await runner.timed(table, pulled, ({ sourceRows, isUnchanged = false, cachedRows }) => ({
      rows: sourceRows,
      ...(isUnchanged && { isUnchanged }),
      ...(cachedRows !== undefined && { keptRows: cachedRows }),
    }));
    for (const warning of loaded.warnings) sources.warnings.add(warning);
    const { sourceRows, isUnchanged = false, cachedRows } = loaded;
    rowsRead.set(dataSource, (rowsRead.get(dataSource) ?? 0) + sourceRows);
    const unread = cachedRows === undefined ? '' : `: ${thousands(cachedRows)} rows unchanged`;
    const done = isUnchanged ? `${name}: unchanged` : `${name}${unread}`;
    progress.report('data pull', done, share(), sourceRows);
    return inZone(loaded, job.sources.find((each) => each.name === dataSource)?.connector.timeZone, place.timeZone);
  }

  return { ...parts, ...sources, pulls, rowsRead, pullOf, load, share };
}

/** Marks the times of a source whose zone is not that of the build. */
export function inZone(loaded: LoadResult, timeZone: string | undefined, common: string): LoadResult {
  if (timeZone === undefined || timeZone === common) return loaded;
  return { ...loaded, columns: loaded.columns.map((column) => ({ ...column, timeZone })) };
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
