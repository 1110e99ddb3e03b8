import type { EntityFlow } from '../../../protocol/analysis.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { subjectSql } from './answer-measures.ts';
import { measuredSql } from './entity-measures.ts';
import type { ReadTypeFilter } from './filter-entities.ts';
import { numbersOf, periodRows } from './read-workload.ts';
import { unitOfParts } from './time-parts.ts';

/** Arrivals, completions and work in progress of the entities of a filter over time. Rejects as the store does. */
export async function readFlow(
  store: StoreReader,
  { filter }: { readonly filter: ReadTypeFilter },
  options: StatementOptions,
): Promise<EntityFlow> {
  const { hasCorrelations } = await judgedGraphTables(store, options);
  const measured = `WITH subject AS MATERIALIZED (${subjectSql(filter)}), measured AS MATERIALIZED (
  ${measuredSql({ hasCorrelations, countsActivities: false })}
)`;
  const [range] = await store.query(
    `${measured} SELECT epoch(max(last)) - epoch(min(first)) AS seconds FROM measured`,
    options,
  );
  const unit = unitOfParts(Number(range?.['seconds'] ?? 0));
  const rows = await periodRows(store, { filter, by: unit, limit: mostPeriods }, options);
  return {
    unit,
    parts: rows.map(({ period, ...row }) => ({ start: isoStart(period), ...numbersOf(row) })),
  };
}

/** More than a unit of so many parts can have. */
const mostPeriods = 1000;

/** Of a date or a timestamp. */
function isoStart(period: unknown): string {
  const text = String(period);
  const clock = text.slice(11, 19);
  return `${text.slice(0, 10)}T${clock === '' ? '00:00:00' : clock}Z`;
}
