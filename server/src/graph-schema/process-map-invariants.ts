import { millisecondsSql, shownQuantiles } from './duration-classes.ts';
import { graphTables } from './graph-schema.ts';
import { type Invariant, ends } from './invariant.ts';

/** The invariants of the tables of the process map. */
export const processMapInvariants = {
  process_map: () => [
    {
      holds: 'The process map counts the first event of each entity and every pair of neighbours once',
      violations: `WITH step AS (
      SELECT entity_id, source_event_id, target_event_id FROM directly_follows
      UNION ALL SELECT entity_id, NULL, min(event_id) FROM event_entity ANTI JOIN (${ends}) AS ended ON ended.id = event_id GROUP BY 1
    ), place AS (SELECT id, activity || ' (' || lifecycle || ')' AS place FROM event),
    expected AS (
      SELECT entity_type || ': ' || coalesce(source.place || ' to ', 'begins with ') || target.place AS step, count(*) AS steps
      FROM step JOIN entity ON entity.id = step.entity_id JOIN place AS target ON target.id = target_event_id LEFT JOIN place AS source ON source.id = source_event_id
      GROUP BY 1
    ), counted AS (
      SELECT entity_type || ': ' || coalesce(source_activity || ' (' || source_lifecycle || ') to ', 'begins with ') || target_activity || ' (' || target_lifecycle || ')' AS step,
        sum(steps) AS steps FROM process_map GROUP BY 1
    )
    SELECT step || ', ' || coalesce(counted.steps, 0) || ' instead of ' || coalesce(expected.steps, 0) AS example
    FROM expected FULL JOIN counted USING (step) WHERE expected.steps IS DISTINCT FROM counted.steps`,
      atImport: [],
    },
  ],
  process_map_activity: () => [
    {
      holds: 'The process map counts the distinct events of each activity by type of entity',
      violations: `WITH expected AS (
        SELECT entity_type, activity, lifecycle, count(DISTINCT event.id) AS events
        FROM event_entity JOIN event ON event.id = event_id AND lifecycle <> 'end' JOIN entity ON entity.id = event_entity.entity_id GROUP BY ALL
      )
      SELECT entity_type || ': ' || activity || ' (' || lifecycle || '), ' || coalesce(counted.events, 0) || ' instead of ' || coalesce(expected.events, 0) AS example
      FROM expected FULL JOIN process_map_activity AS counted USING (entity_type, activity, lifecycle)
      WHERE expected.events IS DISTINCT FROM counted.events`,
      atImport: [],
    },
  ],
  process_map_path: () => [
    {
      holds: 'Quantiles of the process map are those of the times between the events',
      violations: `WITH step AS (
        SELECT entity_type, source.activity AS source_activity, source.lifecycle AS source_lifecycle,
          target.activity AS target_activity, target.lifecycle AS target_lifecycle, ${millisecondsSql('source.time', 'target.time')} AS duration
        FROM directly_follows AS edge JOIN entity ON entity.id = edge.entity_id
          JOIN event AS source ON source.id = source_event_id JOIN event AS target ON target.id = target_event_id
      ), expected AS (
        SELECT entity_type, source_activity, source_lifecycle, target_activity, target_lifecycle, count(duration) AS steps, ${Object.entries(
          shownQuantiles,
        )
          .map(([name, quantile]) => `quantile_cont(duration, ${quantile}) AS ${name}`)
          .join(', ')}
        FROM step GROUP BY GROUPING SETS ((entity_type, source_activity, source_lifecycle, target_activity, target_lifecycle), (entity_type, source_activity, target_activity))
      )
      SELECT coalesce(expected.entity_type || ': ' || expected.source_activity || ' to ' || expected.target_activity, counted.entity_type || ': ' || counted.source_activity || ' to ' || counted.target_activity) AS example
      FROM expected FULL JOIN process_map_path AS counted ON ${graphTables.process_map_path.key
        .map((column) => `expected.${column} IS NOT DISTINCT FROM counted.${column}`)
        .join(' AND ')}
      WHERE counted.steps IS DISTINCT FROM expected.steps OR ${Object.keys(shownQuantiles)
        .map((name) => `abs(counted.${name} - expected.${name}) > 1e-4 + 1e-14 * abs(expected.${name})`)
        .join(' OR ')}`,
      atImport: [],
    },
  ],
} satisfies Readonly<Record<string, () => readonly Invariant[]>>;
