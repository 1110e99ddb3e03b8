import type { BuildDialect } from './build-dialect.ts';
import { activityCodeColumns } from './coded-events.ts';
import type { GraphShape } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** An intermediate table for `event_entity`, `directly_follows` and `process_map`, or one of them. */
export interface MapStep {
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

/**
 * Creates `places`: numbered pairs of activity and lifecycle, the nodes of a process map, because numbers are sorted
 * and grouped faster than names. For engines with tables behind views.
 */
export function createPlacesSql(elements: readonly StagedElement[], shape: GraphShape): MapStep {
  const { dialect } = shape;
  if (shape.activities) {
    return placesStep(
      `SELECT CAST(row_number() OVER (ORDER BY activity, other_activity, change) AS INTEGER) AS place, coalesce(CAST(activity AS VARCHAR), other_activity) AS activity,
      CASE WHEN change THEN 'change' ELSE 'start' END AS lifecycle, activity AS code, other_activity AS other, change
    FROM (SELECT DISTINCT ${activityCodeColumns(elements, dialect).join(', ')}, change FROM ranked) AS found`,
      dialect,
    );
  }
  const names = elements.map(({ plan }) => `(${plan.number}, ${dialect.literals.quote(plan.activityName)})`).join(', ');
  return placesStep(
    `SELECT 2 * number + change AS place, activity, CASE WHEN change = 1 THEN 'change' ELSE 'start' END AS lifecycle
      FROM (VALUES ${names}) AS element(number, activity), (VALUES (0), (1)) AS event(change)`,
    dialect,
  );
}

/** Creates `places` from an existing table `event`, such as that of a fetched graph. */
export function createStoredPlacesSql(dialect: BuildDialect): MapStep {
  return placesStep(
    `SELECT CAST(row_number() OVER () AS INTEGER) AS place, activity, lifecycle FROM (SELECT DISTINCT activity, lifecycle FROM ${dialect.graph}.event)`,
    dialect,
  );
}

/** A query of all events with the numbers of their places: `id`, `row`, `element`, `entity_id`, `place`, `time`. */
export function placedEventsSql(elements: readonly StagedElement[], { dialect, activities }: GraphShape): string {
  const row = dialect.identifiers.quote('row');
  if (!activities) {
    return `SELECT id, ${row}, element, entity_id, CAST(2 * element + CAST(change AS INTEGER) AS INTEGER) AS place, time FROM ranked`;
  }
  return `SELECT id, ${row}, element, entity_id, place, time
      FROM (SELECT id, ${row}, element, entity_id, time, change, ${activityCodeColumns(elements, dialect).join(', ')} FROM ranked) AS event
      JOIN (SELECT place, code, other, change FROM places) AS places
        ON places.code IS NOT DISTINCT FROM event.activity AND places.other IS NOT DISTINCT FROM event.other_activity AND places.change = event.change`;
}

function placesStep(places: string, { build }: BuildDialect): MapStep {
  return { name: 'places', title: 'Activities', sql: `${build.createStaging} places AS ${places}` };
}
