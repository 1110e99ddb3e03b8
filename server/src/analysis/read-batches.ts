import type { BatchesAnswer } from '../../../protocol/analysis.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { noEnd } from './event-place.ts';
import { eventValuesSql } from './event-values.ts';
import { type ReadTypeFilter, eventCondition } from './filter-entities.ts';
import { textOf } from './read-cells.ts';

/** Events of one activity, and one value, within a minute that make a batch. */
const leastEvents = 5;

export interface BatchesQuestion {
  readonly filter: ReadTypeFilter;
  /** Batches of one value of this property. */
  readonly by?: string | undefined;
  readonly limit: number;
}

/**
 * What is done in batches by the entities of a filter: five or more events of one activity and one value within a minute.
 * Minutes that share events are one batch (docs/semantics.md#196-steps-activities-workload-and-batches). Rejects with
 * `QuestionError`, or as the store does.
 */
export async function readBatches(
  store: StoreReader,
  { filter, by, limit }: BatchesQuestion,
  options: StatementOptions,
): Promise<BatchesAnswer> {
  const values = by === undefined ? undefined : eventValuesSql(by, await judgedGraphTables(store, options));
  const isOfEntity = eventCondition(filter, 'v.id') ?? 'true';
  const others = leastEvents - 1;
  const rows = await store.query(
    `WITH done AS (
  SELECT v.id, v.activity, v.time, ${values === undefined ? 'NULL' : 'p.value'} AS value
  FROM event AS v ${values === undefined ? '' : `JOIN (\n${values}\n) AS p ON p.event_id = v.id`}
  WHERE ${noEnd('v')} AND ${isOfEntity}
), begun AS (
  SELECT *, coalesce(lead(time, ${others}) OVER alike <= time + INTERVAL 1 MINUTE, false) AS begins
  FROM done WINDOW alike AS (PARTITION BY activity, value ORDER BY id)
), placed AS (
  SELECT *, max(begins) OVER (PARTITION BY activity, value ORDER BY id ROWS BETWEEN ${others} PRECEDING AND CURRENT ROW) AS is_in,
    coalesce(max(begins) OVER (PARTITION BY activity, value ORDER BY id ROWS BETWEEN ${others} PRECEDING AND 1 PRECEDING), false) AS goes_on
  FROM begun
), numbered AS (
  SELECT *, count(*) FILTER (WHERE NOT goes_on) OVER (PARTITION BY activity, value ORDER BY id) AS batch FROM placed WHERE is_in
)
SELECT activity, value, min(time) AS first, max(time) AS last, count(*) AS events, count(*) OVER () AS batches
FROM numbered GROUP BY activity, value, batch ORDER BY events DESC, first, activity, value LIMIT ${Math.trunc(limit)}`,
    options,
  );
  return {
    rows: rows.map((row) => ({
      activity: String(row['activity']),
      value: textOf(row['value']),
      first: String(row['first']),
      last: String(row['last']),
      events: Number(row['events']),
    })),
    all: Number(rows[0]?.['batches'] ?? 0),
  };
}
