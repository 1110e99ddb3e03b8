import type { StepsAnswer, stepOrders } from '../../../protocol/analysis.ts';
import { millisecondsSql } from '../graph-schema/duration-classes.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { eventValuesSql } from './event-values.ts';
import { type ReadTypeFilter, entityCondition } from './filter-entities.ts';
import { numberOf } from './read-cells.ts';

export interface StepsQuestion {
  readonly filter: ReadTypeFilter;
  /** Steps between different values of this property in place of activities: handovers. */
  readonly by?: string | undefined;
  /** Default: total, the largest first. */
  readonly sort?: (typeof stepOrders)[number] | undefined;
  readonly limit: number;
}

/**
 * The steps of the entities of a filter, from an event to the one that directly follows it, with their times
 * (docs/semantics.md#196-steps-activities-workload-and-batches). Rejects with `QuestionError`, or as the store does.
 */
export async function readSteps(
  store: StoreReader,
  { filter, by, sort = 'total', limit }: StepsQuestion,
  options: StatementOptions,
): Promise<StepsAnswer> {
  const isOfEntity = entityCondition(filter, 'df.entity_id') ?? 'true';
  const values = by === undefined ? undefined : eventValuesSql(by, await judgedGraphTables(store, options));
  const [source, target] = values === undefined ? ['s.activity', 't.activity'] : ['sv.value', 'tv.value'];
  const joins =
    values === undefined
      ? ''
      : 'JOIN valued AS sv ON sv.event_id = df.source_event_id JOIN valued AS tv ON tv.event_id = df.target_event_id AND tv.value <> sv.value';
  const rows = await store.query(
    `WITH ${values === undefined ? '' : `valued AS MATERIALIZED (\n${values}\n), `}step AS (
  SELECT CAST(${source} AS VARCHAR) AS source, CAST(${target} AS VARCHAR) AS target, ${millisecondsSql('s.time', 't.time')} AS duration
  FROM directly_follows AS df JOIN event AS s ON s.id = df.source_event_id JOIN event AS t ON t.id = df.target_event_id ${joins}
  WHERE ${isOfEntity}
)
SELECT source, target, count(*) AS count, sum(duration) AS total, quantile_cont(duration, 0.5) AS median,
  quantile_cont(duration, 0.9) AS p90, count(*) OVER () AS steps
FROM step GROUP BY source, target ORDER BY ${sort} DESC, source, target LIMIT ${Math.trunc(limit)}`,
    options,
  );
  return {
    rows: rows.map((row) => ({
      source: String(row['source']),
      target: String(row['target']),
      count: Number(row['count']),
      median: numberOf(row['median']) ?? 0,
      p90: numberOf(row['p90']) ?? 0,
      total: numberOf(row['total']) ?? 0,
    })),
    all: Number(rows[0]?.['steps'] ?? 0),
  };
}
