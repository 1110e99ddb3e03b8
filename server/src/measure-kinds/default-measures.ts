import type { MeasureUnit } from '../../../protocol/analysis.ts';
import type { BuildingDialect } from '../dialects/dialect.ts';
import { nowSql } from '../rule-kinds/event-tables.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { momentSql } from '../rule-kinds/judged-things.ts';
import { statisticsSql } from './measure-sql.ts';

/** A measure that each entity type has without any text (docs/semantics.md#191-measures-of-every-entity). */
interface DefaultMeasure {
  readonly unit: MeasureUnit;
  readonly kind: 'duration' | 'count';
  /** Needs the events of each activity counted. */
  readonly countsActivities: boolean;
  /** SQL over the columns of `lifeSql` as `m`. @param now the time up to which the graph has events, as SQL */
  value(dialect: BuildingDialect, now: string): string;
}

/** In the order of the table `measure`. */
export const defaultMeasures = {
  throughput: {
    unit: 'ms',
    kind: 'duration',
    countsActivities: false,
    value: (dialect) => millisecondsBetween('m.first', 'm.last', dialect),
  },
  events: { unit: 'count', kind: 'count', countsActivities: false, value: () => 'coalesce(m.events, 0)' },
  rework: { unit: 'count', kind: 'count', countsActivities: true, value: () => 'coalesce(m.rework, 0)' },
  idle: {
    unit: 'ms',
    kind: 'duration',
    countsActivities: false,
    value: (dialect, now) => millisecondsBetween('m.last', now, dialect),
  },
} as const satisfies Readonly<Record<string, DefaultMeasure>>;

/** Names that no measure of a file has: they are asked for without text. */
export const namesOfEveryType: ReadonlySet<string> = new Set([...Object.keys(defaultMeasures), 'rework rate']);

/** As doubles: the distance of the earliest and the latest time of a graph is beyond 64 bits. */
function millisecondsBetween(from: string, to: string, { build }: BuildingDialect): string {
  const { microseconds } = build.judging;
  return `(CAST(${microseconds(to)} AS DOUBLE PRECISION) - CAST(${microseconds(from)} AS DOUBLE PRECISION)) / 1000`;
}

/**
 * A SELECT of the entities that have events: `judged`, `events`, `first` and `last` (times) and, if wanted, `rework`.
 * @param among a table with `judged`: only these entities
 */
export function lifeSql(
  { table, dialect, hasCorrelations }: Pick<JudgedGraphTables, 'table' | 'dialect' | 'hasCorrelations'>,
  { countsActivities, among }: { readonly countsActivities: boolean; readonly among?: string },
): string {
  const isMeant = (column: string): string =>
    among === undefined ? `${column} IS NOT NULL` : `${column} IN (SELECT judged FROM ${among})`;
  // Without correlations with other entities, no join is needed.
  const [entity, from] = hasCorrelations
    ? [
        'c.entity_id',
        `(SELECT DISTINCT ee.event_id, ee.entity_id FROM ${table('event_entity')} AS ee WHERE ${isMeant('ee.entity_id')}) AS c JOIN ${table('event')} AS v ON v.id = c.event_id`,
      ]
    : ['v.entity_id', `${table('event')} AS v WHERE ${isMeant('v.entity_id')}`];
  const columns = 'count(*) AS events, min(v.time) AS first, max(v.time) AS last';
  if (!countsActivities) return `SELECT ${entity} AS judged, ${columns} FROM ${from} GROUP BY 1`;
  const { countIf } = dialect.build;
  return `SELECT judged, sum(events) AS events, min(first) AS first, max(last) AS last,
    sum(starts) - ${countIf('starts > 0')} AS rework
  FROM (
    SELECT ${entity} AS judged, v.activity, ${columns}, ${countIf("v.lifecycle = 'start'")} AS starts
    FROM ${from} GROUP BY 1, 2
  ) AS of_activity GROUP BY judged`;
}

/** A SELECT of the numbers of all default measures: those of `statisticsSql` by `number`, their place from 1, and `entity_type`. */
export function defaultNumbersSql(graph: JudgedGraphTables): string {
  const { keptTable } = graph.dialect.build.judging;
  const moment = graph.now === undefined ? `moment AS ${keptTable}(${momentSql(graph)}), ` : '';
  const valued = Object.values<DefaultMeasure>(defaultMeasures).map(
    (measure, index) =>
      `SELECT ${index + 1} AS number, m.entity_type, CAST(${measure.value(graph.dialect, nowSql(graph))} AS DOUBLE PRECISION) AS value FROM life AS m`,
  );
  return `WITH ${moment}life AS ${keptTable}(
  SELECT entity.entity_type, m.events, m.first, m.last, m.rework FROM ${graph.table('entity')} AS entity LEFT JOIN (
  ${lifeSql(graph, { countsActivities: true })}
  ) AS m ON m.judged = entity.id
)
${statisticsSql(`(\n${valued.join('\nUNION ALL\n')}\n)`, graph, { by: ['number', 'entity_type'] })} ORDER BY number, entity_type`;
}
