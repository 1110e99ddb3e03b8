import type { BuildStep } from './fill-tables.ts';
import { graphStep } from './fill-tables.ts';
import { isPhaseSql } from './phases.ts';
import { pairsTable } from './pairs.ts';
import type { GraphShape } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** Creates `service_time`: each end with its start, in the same row or in another. None for graphs without ends. */
export function serviceTimeSteps(elements: readonly StagedElement[], shape: GraphShape): readonly BuildStep[] {
  const { dialect } = shape;
  const row = dialect.identifiers.quote('row');
  const { microseconds } = dialect.build.judging;
  const times = `CAST(${microseconds('ended.time')} - ${microseconds('started.time')} AS double precision) / 1000 AS milliseconds`;
  const ofRows = elements
    .filter(({ end }) => end)
    .map(({ plan }) => {
      const events = (lifecycle: 'start' | 'end'): string =>
        `(SELECT id, ${row}, time FROM ranked WHERE element = ${plan.number} AND ${isPhaseSql(lifecycle)})`;
      return `SELECT started.id AS start_event_id, ended.id AS end_event_id, ${times}
    FROM ${events('start')} AS started JOIN ${events('end')} AS ended ON ended.${row} = started.${row}`;
    });
  const ofPairs = `SELECT pair.start_event_id, pair.end_event_id, ${times}
    FROM ${pairsTable} AS pair JOIN ranked AS started ON started.id = pair.start_event_id JOIN ranked AS ended ON ended.id = pair.end_event_id`;
  const selects = [...ofRows, ...(shape.hasTransitions ? [ofPairs] : [])];
  if (selects.length === 0) return [];
  const sql = `CREATE TABLE ${dialect.graph}.service_time AS ${selects.join('\n    UNION ALL ')}\n    ORDER BY 1`;
  return [graphStep('Service times', 'service_time', sql, shape)];
}
