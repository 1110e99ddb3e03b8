import type { GraphFilter, MapEdgeView, MapNodeView } from '../../../protocol/event-graph.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { durationText } from './duration-text.ts';
import { entityCondition } from './filter-entities.ts';
import type { ProcessMap } from './process-map.ts';

/**
 * Counts how often one activity follows another within an entity, with the median and the 90th percentile of the time between (t-digest: within
 * a percent or so), and with which activity entities begin and end. Event ids are ranks in time, so the smallest is the first.
 */
export async function readProcessMap(
  store: StoreReader,
  filter: GraphFilter,
  lifecycle: boolean,
  options: StatementOptions,
): Promise<ProcessMap> {
  const condition = entityCondition(filter);
  const kept = condition === undefined ? '' : `WHERE ${condition.replaceAll(/\bid IN/g, 'df.entity_id IN')}`;
  const keptEnds = condition === undefined ? '' : `WHERE ${condition.replaceAll(/\bid IN/g, 'ee.entity_id IN')}`;
  const name = (alias: string): string =>
    lifecycle
      ? `${alias}.activity || CASE WHEN ${alias}.lifecycle = 'change' THEN ' · change' ELSE '' END`
      : `${alias}.activity`;
  const edges = await store.query(
    `SELECT ${name('s')} AS source, ${name('t')} AS target, count(*) AS n,
       approx_quantile(epoch_ms(t.time) - epoch_ms(s.time), 0.5) AS median,
       approx_quantile(epoch_ms(t.time) - epoch_ms(s.time), 0.9) AS p90
     FROM directly_follows AS df JOIN event AS s ON s.id = df.source_event_id JOIN event AS t ON t.id = df.target_event_id
     ${kept} GROUP BY 1, 2 ORDER BY n DESC, 1, 2`,
    options,
  );
  const ends = await store.query(
    `WITH bounds AS (SELECT min(ee.event_id) AS first, max(ee.event_id) AS last FROM event_entity AS ee ${keptEnds} GROUP BY ee.entity_id)
     SELECT activity, sum(starts) AS starts, sum(ends) AS ends FROM (
       SELECT ${name('v')} AS activity, count(*) AS starts, 0 AS ends FROM bounds JOIN event AS v ON v.id = bounds.first GROUP BY 1
       UNION ALL
       SELECT ${name('v')} AS activity, 0 AS starts, count(*) AS ends FROM bounds JOIN event AS v ON v.id = bounds.last GROUP BY 1
     ) GROUP BY 1`,
    options,
  );
  return toMap(edges.map(toEdge), ends);
}

type Row = Readonly<Record<string, unknown>>;

function toEdge(row: Row): MapEdgeView {
  const [median, p90] = [Number(row['median']), Number(row['p90'])];
  return {
    source: String(row['source']),
    target: String(row['target']),
    count: Number(row['n']),
    ...{ median, p90, medianText: durationText(median), p90Text: durationText(p90) },
  };
}

/** Every event of an entity is its first one or follows another: that gives the events of an activity. */
function toMap(edges: readonly MapEdgeView[], ends: readonly Row[]): ProcessMap {
  const nodes = new Map<string, { activity: string; events: number; starts: number; ends: number }>();
  const nodeOf = (activity: string) => {
    const known = nodes.get(activity) ?? { activity, events: 0, starts: 0, ends: 0 };
    nodes.set(activity, known);
    return known;
  };
  for (const row of ends) {
    const node = nodeOf(String(row['activity']));
    node.starts = Number(row['starts']);
    node.ends = Number(row['ends']);
    node.events += node.starts;
  }
  for (const { target, count } of edges) nodeOf(target).events += count;
  const sorted: MapNodeView[] = [...nodes.values()].sort(
    (one, other) => other.events - one.events || (one.activity < other.activity ? -1 : 1),
  );
  return { nodes: sorted, edges, entities: sorted.reduce((sum, { starts }) => sum + starts, 0) };
}
