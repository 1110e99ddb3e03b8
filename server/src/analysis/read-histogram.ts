import type { MeasureHistogram } from '../../../protocol/analysis.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import { momentSql } from '../rule-kinds/judged-things.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { answerMeasures, builtInMeasure, subjectSql } from './answer-measures.ts';
import { measuredSql } from './entity-measures.ts';
import type { ReadTypeFilter } from './filter-entities.ts';

/** The values of a measure of the entities of a filter in classes of equal width. Rejects as `answerMeasures` does. */
export async function readHistogram(
  store: StoreReader,
  { filter, measure: name, bins }: { readonly filter: ReadTypeFilter; readonly measure: string; readonly bins: number },
  options: StatementOptions,
): Promise<MeasureHistogram> {
  const [answer] = await answerMeasures(store, { filter, measures: [name] }, options);
  const graph = await judgedGraphTables(store, options);
  const { unit, sql, countsActivities } = builtInMeasure(name);
  const number = Math.max(1, Math.trunc(bins));
  const rows = await store.query(
    `WITH moment AS (${momentSql(graph)}), subject AS MATERIALIZED (${subjectSql(filter)}), measured AS (
  ${measuredSql({ hasCorrelations: graph.hasCorrelations, countsActivities })}
), valued AS (
  SELECT CAST(${sql} AS DOUBLE) AS value FROM subject AS s LEFT JOIN measured AS m ON m.judged = s.judged
), bounds AS (SELECT min(value) AS low, max(value) AS high FROM valued)
SELECT low, high, CASE WHEN high > low THEN least(CAST(floor((value - low) * ${number} / (high - low)) AS INTEGER), ${number - 1}) ELSE 0 END AS bin, count(*) AS n
FROM valued, bounds WHERE value IS NOT NULL GROUP BY ALL`,
    options,
  );
  const [low, high] = [Number(rows[0]?.['low'] ?? 0), Number(rows[0]?.['high'] ?? 0)];
  const counts = new Map(rows.map((row) => [Number(row['bin']), Number(row['n'])]));
  // Equal values are one class.
  const classes = rows.length === 0 ? 0 : low === high ? 1 : number;
  const at = (index: number): number => (index === classes ? high : low + ((high - low) * index) / classes);
  const group = answer?.groups[0];
  if (!group) throw new Error('A measure was not answered.');
  const { count, missing, mean, median, p90 } = group;
  return {
    bins: Array.from({ length: classes }, (_, index) => ({
      from: at(index),
      to: at(index + 1),
      count: counts.get(index) ?? 0,
    })),
    unit,
    numbers: { count, missing, mean, median, p90 },
  };
}
