import {
  durationClassSql,
  interpolateSql,
  placesOfQuantile,
  shownQuantiles,
} from '../../graph-schema/duration-classes.ts';
import type { BuildDialect } from './build-dialect.ts';
import { predecessorsSql, numberedTypes } from './process-map.ts';

/** A path with merged lifecycles has NULL as lifecycle. */
const path = 'entity_type, source_activity, source_lifecycle, target_activity, target_lifecycle';
const pathClass = 'type, source, target, duration_class';

/**
 * Creates the table `process_map_path`: exact duration quantiles between two activities by entity type, from `places`,
 * `ordered` and `process_map`. The classes of `process_map` limit the candidates, so that memory does not grow with the
 * graph. Each class of a path that is looked at has a number, by which durations are sorted faster than by the texts of
 * its path.
 * @param entityTypes at least one, in any order
 */
export function createProcessMapPathSql(entityTypes: readonly string[], dialect: BuildDialect): string {
  const { names, numberOf } = numberedTypes(entityTypes, dialect);
  const isPlace = (side: 'source' | 'target'): string =>
    `${side}.activity = wanted.${side}_activity AND (wanted.${side}_lifecycle IS NULL OR ${side}.lifecycle = wanted.${side}_lifecycle)`;
  const lookedAt = Object.values(shownQuantiles).flatMap((quantile) => {
    const { lower, upper } = placesOfQuantile(quantile, 'total');
    return [lower, upper];
  });
  const values = Object.entries(shownQuantiles).map(
    ([name, quantile]) =>
      `${interpolateSql(quantile, 'total', (place) => `min(duration) FILTER (WHERE below + within > ${place})`)} AS ${name}`,
  );
  return `CREATE TABLE ${dialect.graph}.process_map_path AS
    WITH class AS (
      SELECT ${path}, duration_class, steps FROM ${dialect.graph}.process_map WHERE duration_class IS NOT NULL
      UNION ALL
      SELECT entity_type, source_activity, NULL, target_activity, NULL, duration_class, sum(steps)
      FROM ${dialect.graph}.process_map WHERE duration_class IS NOT NULL GROUP BY ALL
    ), wanted AS MATERIALIZED (
      SELECT *, row_number() OVER () AS number FROM (
        SELECT ${path}, duration_class, CAST(sum(steps) OVER path AS BIGINT) AS total,
          CAST(sum(steps) OVER (path ORDER BY duration_class) - steps AS BIGINT) AS below, CAST(steps AS BIGINT) AS steps
        FROM class WINDOW path AS (PARTITION BY ${path})
      ) AS summed WHERE ${lookedAt.map((place) => `(${place} >= below AND ${place} < below + steps)`).join(' OR ')}
    ), looked_at AS MATERIALIZED (
      SELECT wanted.number, wanted.duration_class, list_position(${names}, wanted.entity_type) AS type, source.place AS source, target.place AS target
      FROM wanted JOIN places AS source ON ${isPlace('source')} JOIN places AS target ON ${isPlace('target')}
    ), found AS (
      SELECT ${pathClass}, duration, count(*) AS n FROM (
        SELECT ${numberOf('entity_id')} AS type, source, target, ${durationClassSql('duration')} AS duration_class, duration
        FROM (${predecessorsSql}) AS neighbours WHERE is_new AND source IS NOT NULL
      ) AS classed SEMI JOIN looked_at USING (${pathClass}) GROUP BY ALL
    )
    SELECT ${path}, total AS steps, ${values.join(', ')}
    FROM (
      SELECT number, duration, sum(n) OVER (PARTITION BY number ORDER BY duration) AS within
      FROM (
        SELECT looked_at.number, duration, sum(n) AS n
        FROM looked_at JOIN found USING (${pathClass}) GROUP BY ALL
      ) AS counted
    ) AS running JOIN wanted USING (number) GROUP BY ${path}, total ORDER BY ${path}`;
}
