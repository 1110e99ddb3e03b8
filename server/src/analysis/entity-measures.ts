import type { MeasureUnit } from '../../../protocol/analysis.ts';
import { millisecondsSql } from '../graph-schema/duration-classes.ts';

/** A number that every entity type has without any text in the file (docs/semantics.md#191-measures-of-every-entity). */
export interface EntityMeasure {
  readonly name: string;
  readonly unit: MeasureUnit;
  /** SQL over the columns of `measuredSql` as `m`, and `moment.now`. */
  readonly sql: string;
  /** Needs the events of each activity counted. */
  readonly countsActivities: boolean;
}

/** Those that `analyze` answers without further choice, in order. */
export const defaultMeasures = {
  throughput: { unit: 'ms', sql: millisecondsSql('m.first', 'm.last'), countsActivities: false },
  events: { unit: 'count', sql: 'coalesce(m.events, 0)', countsActivities: false },
  rework: { unit: 'count', sql: 'coalesce(m.rework, 0)', countsActivities: true },
  idle: { unit: 'ms', sql: millisecondsSql('m.last', '(SELECT now FROM moment)'), countsActivities: false },
} as const satisfies Readonly<Record<string, Omit<EntityMeasure, 'name'>>>;

/** All that need no text in the file. */
export const entityMeasures: Readonly<Record<string, Omit<EntityMeasure, 'name'>>> = {
  ...defaultMeasures,
  'rework rate': {
    unit: 'share',
    sql: 'CASE WHEN coalesce(m.rework, 0) > 0 THEN 1 ELSE 0 END',
    countsActivities: true,
  },
};

/**
 * A SELECT of the entities of the table `subject` (`judged`) that have events: `judged`, `events`, `first` and `last`
 * (times) and, if wanted, `rework`.
 */
export function measuredSql({
  hasCorrelations,
  countsActivities,
}: {
  readonly hasCorrelations: boolean;
  readonly countsActivities: boolean;
}): string {
  // Without correlations with other entities, no join is needed.
  const [entity, from] = hasCorrelations
    ? [
        'c.entity_id',
        '(SELECT DISTINCT ee.event_id, ee.entity_id FROM event_entity AS ee WHERE ee.entity_id IN (SELECT judged FROM subject)) AS c JOIN event AS v ON v.id = c.event_id',
      ]
    : ['v.entity_id', 'event AS v WHERE v.entity_id IN (SELECT judged FROM subject)'];
  const columns = 'count(*) AS events, min(v.time) AS first, max(v.time) AS last';
  if (!countsActivities) return `SELECT ${entity} AS judged, ${columns} FROM ${from} GROUP BY 1`;
  return `SELECT judged, sum(events) AS events, min(first) AS first, max(last) AS last,
    sum(starts) - count(*) FILTER (WHERE starts > 0) AS rework
  FROM (
    SELECT ${entity} AS judged, v.activity, ${columns}, count(*) FILTER (WHERE v.lifecycle = 'start') AS starts
    FROM ${from} GROUP BY 1, 2
  ) AS of_activity GROUP BY judged`;
}
