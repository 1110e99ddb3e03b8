import type { DottedChart } from '../../../protocol/analysis.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { subjectSql } from './answer-measures.ts';
import { noEnd } from './event-place.ts';
import type { ReadTypeFilter } from './filter-entities.ts';

export interface DotsQuestion {
  readonly filter: ReadTypeFilter;
  /** Time of the events, or their time since the first event of the entity. */
  readonly time: 'absolute' | 'relative';
  readonly columns: number;
  readonly rows: number;
}

/** The events of the entities of a filter as points in a grid, however many they are. Rejects as the store does. */
export async function readDottedChart(
  store: StoreReader,
  { filter, time, ...grid }: DotsQuestion,
  options: StatementOptions,
): Promise<DottedChart> {
  const [columns, rows] = [Math.max(1, Math.trunc(grid.columns)), Math.max(1, Math.trunc(grid.rows))];
  const isRelative = time === 'relative';
  const place = (value: string, low: string, high: string, parts: number): string =>
    `CASE WHEN ${high} > ${low} THEN least(CAST(floor((${value} - ${low}) * ${parts} / (${high} - ${low})) AS INTEGER), ${parts - 1}) ELSE 0 END`;
  const [found] = await store.query(
    `WITH subject AS MATERIALIZED (${subjectSql(filter)}), point AS MATERIALIZED (
  SELECT c.entity_id, v.activity, CAST(epoch_us(CAST(v.time AS TIMESTAMP)) AS DOUBLE) / 1000 AS ms
  FROM (SELECT DISTINCT ee.event_id, ee.entity_id FROM event_entity AS ee WHERE ee.entity_id IN (SELECT judged FROM subject)) AS c
    JOIN event AS v ON v.id = c.event_id WHERE ${noEnd('v')}
), entity_row AS MATERIALIZED (
  SELECT entity_id, min(ms) AS first, row_number() OVER (ORDER BY min(ms), entity_id) - 1 AS rank, count(*) OVER () AS entities FROM point GROUP BY entity_id
), placed AS (
  SELECT ${isRelative ? 'p.ms - r.first' : 'p.ms'} AS ms, p.activity, r.rank, r.entities FROM point AS p JOIN entity_row AS r ON r.entity_id = p.entity_id
), bounds AS (SELECT min(ms) AS low, max(ms) AS high, any_value(entities) AS entities FROM placed),
activity AS (SELECT activity, count(*) AS n, row_number() OVER (ORDER BY count(*) DESC, CAST(activity AS VARCHAR)) - 1 AS place FROM point GROUP BY 1),
cell AS (
  SELECT ${place('d.ms', 'b.low', 'b.high', columns)} AS x, CAST(floor(d.rank * least(${rows}, b.entities) / b.entities) AS INTEGER) AS y, a.place, count(*) AS n
  FROM placed AS d JOIN activity AS a ON a.activity = d.activity CROSS JOIN bounds AS b GROUP BY ALL
), seen AS (SELECT x, y, sum(n) AS n, arg_max(place, n) AS place FROM cell GROUP BY 1, 2)
SELECT (SELECT low FROM bounds) AS low, (SELECT high FROM bounds) AS high, (SELECT entities FROM bounds) AS entities,
  (SELECT to_json(list([x, y, n, place] ORDER BY y, x)) FROM seen) AS cells,
  (SELECT to_json(list({ name: activity, events: n } ORDER BY place)) FROM activity) AS activities`,
    options,
  );
  const entities = Number(found?.['entities'] ?? 0);
  const bound = (value: unknown): string | number =>
    isRelative ? Number(value ?? 0) : new Date(Number(value ?? 0)).toISOString();
  return {
    columns,
    rows: Math.min(rows, entities),
    from: bound(found?.['low']),
    to: bound(found?.['high']),
    entities,
    cells: JSON.parse(String(found?.['cells'] ?? '[]')) as DottedChart['cells'],
    activities: JSON.parse(String(found?.['activities'] ?? '[]')) as DottedChart['activities'],
  };
}
