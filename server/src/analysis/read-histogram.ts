import type { MeasureHistogram } from '../../../protocol/analysis.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import { momentSql } from '../rule-kinds/judged-things.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { findMeasure, numbersOf, subjectSql, writtenValuesJoin } from './answer-measures.ts';
import { measuredSql } from './entity-measures.ts';
import type { ReadTypeFilter } from './filter-entities.ts';

interface HistogramQuestion {
  readonly filter: ReadTypeFilter;
  readonly measure: string;
  /** Number of classes. */
  readonly bins: number;
  /** The text with the measures of the file; default: the imported one. */
  readonly text?: string | undefined;
}

/** The values of a measure of the entities of a filter in classes of equal width, or each of a few whole numbers. Rejects as `answerMeasures` does. */
export async function readHistogram(
  store: StoreReader,
  { filter, measure: name, bins, text }: HistogramQuestion,
  options: StatementOptions,
): Promise<MeasureHistogram> {
  const graph = await judgedGraphTables(store, options);
  const measure = await findMeasure(name, filter.entityType, { store, graph, text }, options);
  const { unit, sql, countsActivities } = measure;
  const number = Math.max(1, Math.trunc(bins));
  const rows = await store.query(
    `WITH moment AS (${momentSql(graph)}), subject AS MATERIALIZED (${subjectSql(filter)}), measured AS (
  ${measuredSql({ hasCorrelations: graph.hasCorrelations, countsActivities })}
), valued AS MATERIALIZED (
  SELECT CAST(${sql} AS DOUBLE) AS value FROM subject AS s ${writtenValuesJoin(measure)} LEFT JOIN measured AS m ON m.judged = s.judged
), bounds AS (
  SELECT count(*) AS entities, count(value) AS count, avg(value) AS mean, quantile_cont(value, [0.5, 0.9]) AS quantiles, min(value) AS low, max(value) AS high, ${unit === 'ms' ? 'false' : `bool_and(value = floor(value)) AND max(value) - min(value) < ${number}`} AS is_each FROM valued
), binned AS (
  SELECT CASE WHEN is_each THEN CAST(value - low AS INTEGER) WHEN high > low THEN least(CAST(floor((value - low) * ${number} / (high - low)) AS INTEGER), ${number - 1}) ELSE 0 END AS bin, count(*) AS n
  FROM valued, bounds WHERE value IS NOT NULL GROUP BY 1
)
SELECT bounds.*, binned.* FROM bounds LEFT JOIN binned ON true`,
    options,
  );
  const [low, high] = [Number(rows[0]?.['low'] ?? 0), Number(rows[0]?.['high'] ?? 0)];
  const counts = new Map(rows.flatMap((row) => (row['bin'] === null ? [] : [[Number(row['bin']), Number(row['n'])]])));
  const hasEach = rows[0]?.['is_each'] === true;
  // Equal values are one class, and so is each of a few whole numbers.
  const classes = counts.size === 0 ? 0 : hasEach ? high - low + 1 : low === high ? 1 : number;
  const at = (index: number): number => {
    if (hasEach) return low + Math.min(index, classes - 1);
    return index === classes ? high : low + ((high - low) * index) / classes;
  };
  return {
    bins: Array.from({ length: classes }, (_, index) => ({
      from: at(index),
      to: at(hasEach ? index : index + 1),
      count: counts.get(index) ?? 0,
    })),
    unit,
    numbers: numbersOf(
      {
        entities: rows[0]?.['entities'],
        count_0: rows[0]?.['count'],
        mean_0: rows[0]?.['mean'],
        quantiles_0: rows[0]?.['quantiles'],
      },
      0,
    ),
  };
}
