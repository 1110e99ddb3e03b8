import type { WorkloadAnswer, workloadUnits } from '../../../protocol/analysis.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { subjectSql } from './answer-measures.ts';
import { measuredSql } from './entity-measures.ts';
import type { ReadTypeFilter } from './filter-entities.ts';

export interface WorkloadQuestion {
  readonly filter: ReadTypeFilter;
  /** Default: day. */
  readonly by?: (typeof workloadUnits)[number] | undefined;
  /** The latest so many. */
  readonly limit: number;
}

/**
 * The entities of a filter over time, in each day, or other unit, from the first event to the last: how many began,
 * ended, and were in progress (docs/semantics.md#196-steps-activities-workload-and-batches).
 */
export async function readWorkload(
  store: StoreReader,
  { filter, by = 'day', limit }: WorkloadQuestion,
  options: StatementOptions,
): Promise<WorkloadAnswer> {
  const rows = await periodRows(store, { filter, by, limit }, options);
  return {
    rows: rows.map(({ period, ...row }) => ({ start: String(period).slice(0, 10), ...numbersOf(row) })),
    all: Number(rows[0]?.['periods'] ?? 0),
  };
}

type Row = Readonly<Record<string, unknown>>;

/** The periods of any unit of time that the engine knows: `period`, `arrivals`, `completions`, `in_progress`, `periods`. */
export async function periodRows(
  store: StoreReader,
  { filter, by, limit }: { readonly filter: ReadTypeFilter; readonly by: string; readonly limit: number },
  options: StatementOptions,
): Promise<readonly Row[]> {
  const { hasCorrelations } = await judgedGraphTables(store, options);
  return store.query(
    `WITH subject AS MATERIALIZED (${subjectSql(filter)}), measured AS MATERIALIZED (
  ${measuredSql({ hasCorrelations, countsActivities: false })}
), change AS (
  SELECT period, sum(arrived) AS arrivals, sum(completed) AS completions FROM (
    SELECT date_trunc('${by}', first) AS period, 1 AS arrived, 0 AS completed FROM measured
    UNION ALL SELECT date_trunc('${by}', last), 0, 1 FROM measured
  ) AS bound GROUP BY period
), calendar AS (
  SELECT unnest(generate_series(min(period), max(period), INTERVAL 1 ${by})) AS period FROM change
), counted AS (
  SELECT c.period, coalesce(n.arrivals, 0) AS arrivals, coalesce(n.completions, 0) AS completions
  FROM calendar AS c LEFT JOIN change AS n ON n.period = c.period
), progress AS (
  SELECT *, sum(arrivals) OVER in_order - sum(completions) OVER in_order + completions AS in_progress, count(*) OVER () AS periods
  FROM counted WINDOW in_order AS (ORDER BY period)
)
SELECT * FROM (SELECT * FROM progress ORDER BY period DESC LIMIT ${Math.trunc(limit)}) AS latest ORDER BY period`,
    options,
  );
}

/** The numbers of a period. */
export function numbersOf(row: Row): { arrivals: number; completions: number; inProgress: number } {
  return {
    arrivals: Number(row['arrivals']),
    completions: Number(row['completions']),
    inProgress: Number(row['in_progress']),
  };
}
