import type { ServiceTimeView } from '../../../protocol/event-graph.ts';
import { eventPlaceSql } from '../analysis/event-place.ts';
import { eventCondition } from '../analysis/filter-entities.ts';
import { shownQuantiles } from '../graph-schema/duration-classes.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { type MapQuery, whereSql } from './map-query.ts';

/**
 * The service times of each activity whose starts have ends, by the activity as the map names it
 * (docs/semantics.md#134-process-map). Empty for graphs without ends.
 */
export async function readServiceTimes({
  store,
  view,
  options,
}: MapQuery): Promise<ReadonlyMap<string, ServiceTimeView>> {
  const tables = await storedTables(store, options);
  if (!tables.some(({ schema }) => schema === 'service_time')) return new Map();
  const quantiles = Object.entries(shownQuantiles).map(
    ([name, quantile]) => `quantile_cont(service.milliseconds, ${quantile}) AS ${name}`,
  );
  const rows = await store.query(
    `SELECT ${eventPlaceSql('v', view)} AS activity, count(*) AS n, ${quantiles.join(', ')}
     FROM service_time AS service JOIN event AS v ON v.id = service.start_event_id ${whereSql(eventCondition(view.filter, 'v.id'))} GROUP BY 1`,
    options,
  );
  return new Map(
    rows.map((row) => {
      const [median, p90] = [Number(row['median']), Number(row['p90'])];
      const times = { count: Number(row['n']), median, p90 };
      return [String(row['activity']), { ...times, medianText: durationText(median), p90Text: durationText(p90) }];
    }),
  );
}
