import type { VariantChange } from '../../../protocol/graph-changes.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import type { Side } from './pair-events.ts';

/** A variable with the names of all activities, and the names of a list of their numbers, which are compared faster. */
const namesSql =
  'SET VARIABLE activity_names = (SELECT list(activity ORDER BY activity_number) FROM (SELECT DISTINCT activity, activity_number FROM event_kind))';
const namesOf = (activities: string): string =>
  `list_transform(${activities}, lambda number: getvariable('activity_names')[number])`;

/** The steps of entities (docs/semantics.md#134-process-map): `number` of the entity, `id` of the event, `activity_number`. */
function stepsSql(side: Side, isTouched: boolean): string {
  return `SELECT step.number, step.id, event_kind.activity_number FROM (
      SELECT entity AS number, id, kind FROM event_${side} WHERE entity IS NOT NULL
      UNION ALL SELECT DISTINCT entity.number, event.id, event.kind FROM (SELECT event_id, entity_id FROM ${side}.event_entity WHERE qualifier <> 'self') AS c
        JOIN event_${side} AS event ON event.id = c.event_id JOIN entity_pair AS entity ON entity.${side}_id = c.entity_id
    ) AS step JOIN event_kind ON event_kind.kind = step.kind AND event_kind.lifecycle <> 'end'
    ${isTouched ? 'SEMI' : 'ANTI'} JOIN touched ON touched.entity = step.number`;
}

/** The activities of each entity in order. @param steps as `stepsSql` */
function variantsSql(steps: string): string {
  return `SELECT number, list(activity_number ORDER BY id) AS activities FROM (${steps}) GROUP BY number`;
}

function touchedVariantsSql(side: Side): string {
  return `CREATE TEMP TABLE variant_${side} AS
    SELECT entity.number, entity.entity_type, entity.key, variant.activities
    FROM (${variantsSql(stepsSql(side, true))}) AS variant JOIN entity_pair AS entity USING (number)`;
}

const variantChangesSql = `CREATE TEMP VIEW variant_change AS
  SELECT entity_type AS name, CASE WHEN b.activities IS NULL THEN 'new' WHEN a.activities IS NULL THEN 'gone' ELSE 'changed' END AS kind,
    key, CAST(${namesOf('b.activities')} AS VARCHAR) AS "before", CAST(${namesOf('a.activities')} AS VARCHAR) AS "after"
  FROM variant_before AS b FULL JOIN variant_after AS a USING (number, entity_type, key)
  WHERE a.activities IS DISTINCT FROM b.activities`;

/** After `touched`. */
export const variantStatements: readonly string[] = [
  namesSql,
  touchedVariantsSql('before'),
  touchedVariantsSql('after'),
  variantChangesSql,
];

/** Maximum number of listed variants. */
const shownVariants = 20;

/** Activities of a variant that are listed; some variants have thousands. */
const listedActivities = 100;

/** The variants whose numbers of cases differ, those with most difference first: of the entities that may differ. */
const differingSql = `CREATE TEMP TABLE differing_variant AS
  SELECT row_number() OVER (ORDER BY abs(coalesce(a.n, 0) - coalesce(b.n, 0)) DESC, entity_type, to_json(${namesOf('activities')})) AS place,
    count(*) OVER () AS differing, entity_type, activities, coalesce(b.n, 0) AS before, coalesce(a.n, 0) AS after
  FROM (SELECT entity_type, activities, count(*) AS n FROM variant_before GROUP BY ALL) AS b
  FULL JOIN (SELECT entity_type, activities, count(*) AS n FROM variant_after GROUP BY ALL) AS a USING (entity_type, activities)
  WHERE a.n IS DISTINCT FROM b.n QUALIFY place <= ${shownVariants}`;

/**
 * How many other entities have each of these variants, in both graphs. Only those with the same activities, in any order,
 * can: few are sorted, and none of those with one activity.
 */
const othersSql = `WITH step AS MATERIALIZED (${stepsSql('after', false)}),
    wanted AS (SELECT place, entity_type, activities, len(activities) AS steps, list_sum(list_transform(activities, lambda number: hash(number)::HUGEINT)) AS mixed FROM differing_variant),
    likely AS MATERIALIZED (
      SELECT found.number, found.is_one, wanted.place, wanted.activities FROM (
        SELECT number, count(*) AS steps, sum(hash(activity_number)) AS mixed, min(activity_number) = max(activity_number) AS is_one FROM step GROUP BY number
      ) AS found JOIN entity_pair AS entity USING (number)
      JOIN wanted ON wanted.entity_type = entity.entity_type AND wanted.steps = found.steps AND wanted.mixed = found.mixed),
    sorted AS (${variantsSql('FROM step SEMI JOIN (FROM likely WHERE NOT is_one) AS several ON several.number = step.number')})
  SELECT place, count(*) AS n FROM likely LEFT JOIN sorted USING (number)
  WHERE is_one OR sorted.activities = likely.activities GROUP BY place`;

/** Cases of the first variants that gained or lost some, and how many variants did. */
export async function variantCases(
  both: DuckDbSession,
  options: StatementOptions,
): Promise<{ readonly variantCases: readonly VariantChange[]; readonly differingVariants: number }> {
  await both.run(differingSql, options);
  const rows = await both.query(
    `SELECT entity_type, to_json(${namesOf(`activities[:${listedActivities}]`)}) AS activities, len(activities) AS events,
      before + coalesce(other.n, 0) AS before, after + coalesce(other.n, 0) AS after, differing
     FROM differing_variant LEFT JOIN (${othersSql}) AS other USING (place) ORDER BY place`,
    options,
  );
  const listed = rows.map((row): VariantChange => ({
    entityType: String(row['entity_type']),
    activities: JSON.parse(String(row['activities'])) as readonly string[],
    events: Number(row['events']),
    before: Number(row['before']),
    after: Number(row['after']),
  }));
  return { variantCases: listed, differingVariants: Number(rows[0]?.['differing'] ?? 0) };
}
