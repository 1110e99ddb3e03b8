import { lifecycles } from '../../../../protocol/lifecycles.ts';
import type { BuildDialect } from './build-dialect.ts';
import { activityCodeColumns } from './coded-events.ts';
import { byPhaseSql, phaseOf } from './phases.ts';
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
      `SELECT CAST(row_number() OVER (ORDER BY activity, other_activity, phase) AS INTEGER) AS place, coalesce(CAST(activity AS VARCHAR), other_activity) AS activity,
      ${byPhaseSql(dialect.literals.quote)} AS lifecycle, activity AS code, other_activity AS other, phase
    FROM (SELECT DISTINCT ${activityCodeColumns(elements, dialect).join(', ')}, phase FROM ranked) AS found`,
      dialect,
    );
  }
  const names = elements.map(({ plan }) => `(${plan.number}, ${dialect.literals.quote(plan.activityName)})`).join(', ');
  return placesStep(
    `SELECT ${placeOf('number')} AS place, activity, ${byPhaseSql(dialect.literals.quote)} AS lifecycle
      FROM (VALUES ${names}) AS element(number, activity), (VALUES ${lifecycles.map((name) => `(${phaseOf(name)})`).join(', ')}) AS event(phase)`,
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
    return `SELECT id, ${row}, element, entity_id, CAST(${placeOf('element')} AS INTEGER) AS place, time FROM ranked`;
  }
  return `SELECT id, ${row}, element, entity_id, place, time
      FROM (SELECT id, ${row}, element, entity_id, time, phase, ${activityCodeColumns(elements, dialect).join(', ')} FROM ranked) AS event
      JOIN (SELECT place, code, other, phase FROM places) AS places
        ON places.code IS NOT DISTINCT FROM event.activity AND places.other IS NOT DISTINCT FROM event.other_activity AND places.phase = event.phase`;
}

/** SQL of the place of an event whose activity is its element. */
function placeOf(element: string): string {
  return `${lifecycles.length} * ${element} + phase`;
}

/** SQL of a condition on rows with a `place`: ends are no places of a process map (docs/semantics.md#58-end-events). */
export const isNoEndSql = `place NOT IN (SELECT place FROM places WHERE lifecycle = 'end')`;

function placesStep(places: string, { build }: BuildDialect): MapStep {
  return { name: 'places', title: 'Activities', sql: `${build.createStaging} places AS ${places}` };
}
