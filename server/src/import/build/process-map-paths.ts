import {
  durationClassSql,
  interpolateSql,
  placesOfQuantile,
  shownQuantiles,
} from '../../graph-schema/duration-classes.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { MapParts } from './map-parts.ts';
import { predecessorsSql, numberedTypes } from './process-map.ts';

/** A path with merged lifecycles has NULL as lifecycle. */
const path = 'entity_type, source_activity, source_lifecycle, target_activity, target_lifecycle';
const pathClass = 'type, source, target, duration_class';

/**
 * The times between places in the classes of quantiles, and how often each occurs, from `ordered` and `process_map`. The
 * classes limit the candidates, so that memory does not grow with the graph.
 * @param entityTypes at least one, in any order
 */
export function pathDurationsSql(entityTypes: readonly string[], dialect: BuildDialect, parts: MapParts): string {
  const { numberOf } = numberedTypes(entityTypes, dialect);
  return `WITH ${lookedAtSql(entityTypes, dialect, parts, parts.areKept ? keptMargin : '0')}
    SELECT ${pathClass}, duration, count(*) AS n FROM (
      SELECT ${numberOf('entity_id')} AS type, source, target, ${durationClassSql('duration')} AS duration_class, duration
      FROM (${predecessorsSql}) AS neighbours WHERE is_new AND source IS NOT NULL
    ) AS classed SEMI JOIN looked_at USING (${pathClass}) GROUP BY ALL ORDER BY ALL`;
}

/**
 * So many places around a quantile have their times kept, that it is still among them after 1 % of new rows, and often
 * after many times as many. The second part is less for paths with few steps, of which there may be many.
 */
const keptMargin = 'least(total / 100 + 100, total / 20 + 5)';

/**
 * Creates the table `process_map_path`: exact duration quantiles between two activities by entity type, from
 * `process_map` and the parts of the map. Each class of a path that is looked at has a number, by which durations are
 * sorted faster than by the texts of its path.
 * @param entityTypes at least one, in any order
 */
export function createProcessMapPathSql(
  entityTypes: readonly string[],
  dialect: BuildDialect,
  parts: MapParts,
): string {
  const values = Object.entries(shownQuantiles).map(
    ([name, quantile]) =>
      `${interpolateSql(quantile, 'total', (place) => `min(duration) FILTER (WHERE below + within > ${place})`)} AS ${name}`,
  );
  return `CREATE TABLE ${dialect.graph}.process_map_path AS
    WITH ${lookedAtSql(entityTypes, dialect, parts)}
    SELECT ${path}, total AS steps, ${values.join(', ')}
    FROM (
      SELECT number, duration, sum(n) OVER (PARTITION BY number ORDER BY duration) AS within
      FROM (
        SELECT looked_at.number, duration, sum(n) AS n
        FROM looked_at JOIN ${parts.durations} AS found USING (${pathClass}) GROUP BY ALL
      ) AS counted
    ) AS running JOIN wanted USING (number) GROUP BY ${path}, total ORDER BY ${path}`;
}

/** Counts the classes of quantiles whose times are not kept, or not all of them (`lacking`). */
export function countLackingSql(entityTypes: readonly string[], dialect: BuildDialect, parts: MapParts): string {
  return `WITH ${lookedAtSql(entityTypes, dialect, parts)}
    SELECT count(*) AS lacking FROM (SELECT DISTINCT ${pathClass} FROM looked_at) AS needed
      JOIN ${parts.classes} AS counted USING (${pathClass})
      LEFT JOIN (SELECT ${pathClass}, sum(n) AS n FROM ${parts.durations} GROUP BY ALL) AS kept USING (${pathClass})
    WHERE kept.n IS DISTINCT FROM counted.steps`;
}

/**
 * The common table expressions `wanted`, the classes that quantiles of paths are in, and `looked_at`, the same for places.
 * @param margin so many places around them are looked at as well, as SQL
 */
function lookedAtSql(
  entityTypes: readonly string[],
  dialect: BuildDialect,
  { places }: MapParts,
  margin = '0',
): string {
  const { names } = numberedTypes(entityTypes, dialect);
  const isPlace = (side: 'source' | 'target'): string =>
    `${side}.activity = wanted.${side}_activity AND (wanted.${side}_lifecycle IS NULL OR ${side}.lifecycle = wanted.${side}_lifecycle)`;
  const lookedAt = Object.values(shownQuantiles).flatMap((quantile) => {
    const { lower, upper } = placesOfQuantile(quantile, 'total');
    return [lower, upper];
  });
  const isLookedAt = lookedAt.map(
    (place) => `(${place} + ${margin} >= below AND ${place} - ${margin} < below + steps)`,
  );
  return `class AS (
      SELECT ${path}, duration_class, steps FROM ${dialect.graph}.process_map WHERE duration_class IS NOT NULL
      UNION ALL
      SELECT entity_type, source_activity, NULL, target_activity, NULL, duration_class, sum(steps)
      FROM ${dialect.graph}.process_map WHERE duration_class IS NOT NULL GROUP BY ALL
    ), wanted AS MATERIALIZED (
      SELECT *, row_number() OVER () AS number FROM (
        SELECT ${path}, duration_class, CAST(sum(steps) OVER path AS BIGINT) AS total,
          CAST(sum(steps) OVER (path ORDER BY duration_class) - steps AS BIGINT) AS below, CAST(steps AS BIGINT) AS steps
        FROM class WINDOW path AS (PARTITION BY ${path})
      ) AS summed WHERE ${isLookedAt.join(' OR ')}
    ), looked_at AS MATERIALIZED (
      SELECT wanted.number, wanted.duration_class, list_position(${names}, wanted.entity_type) AS type, source.place AS source, target.place AS target
      FROM wanted JOIN ${places} AS source ON ${isPlace('source')} JOIN ${places} AS target ON ${isPlace('target')}
    )`;
}
