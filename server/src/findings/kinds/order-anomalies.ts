import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch } from '../finding-kind.ts';
import { counted } from '../counted.ts';
import { aboutStart, countOf, percent, quoted } from '../finding-texts.ts';
import { type OrderedPair, onceTable } from '../order-tables.ts';

const { quote } = duckdb.literals;

/** More is no exception, but another way of working. */
const mostShare = 0.1;
const leastShare = 0.01;
const leastEntities = 5;
/** What is too early or too late for one of these reasons is told by it. */
const explaining = [
  'midnight-times',
  'dates-beside-times',
  'whole-hours',
  'zone-shift',
  'batch-bursts',
  'duration-outliers',
] as const;

/** An event that comes before one that it needs, in few entities. It reads the table of single events of `zone-shift`. */
export const orderAnomalies: FindingSearch = {
  kind: 'order-anomalies',
  async find(graph) {
    const { store, options } = graph;
    const pairs = (await graph.orderedPairs()).filter(({ forth, back }) => back <= (forth + back) * mostShare);
    if (pairs.length === 0) return [];
    await store.run(disorderSql(pairs, graph.flaggedBy(...explaining)), options);
    const rows = await store.query(
      `SELECT d.entity_type, d.activity, any_value(d.element) AS element, d.is_effect, count(*) AS entities, mode(d.other) AS other,
  (SELECT count(*) FROM ${onceTable} AS o WHERE o.entity_type = d.entity_type AND o.activity = d.activity) AS total
FROM temp.finding_disorder AS d GROUP BY d.entity_type, d.activity, d.is_effect
HAVING entities >= ${leastEntities} ORDER BY entities DESC, d.activity`,
      options,
    );
    return rows.map((row) => {
      const [count, of] = [Number(row['entities']), Number(row['total'])];
      const [type, activity, element, other] = ['entity_type', 'activity', 'element', 'other'].map((name) =>
        String(row[name]),
      ) as [string, string, string, string];
      const isEffect = row['is_effect'] === true;
      return {
        kind: 'order-anomalies' as const,
        ...counted('entities', count, of, leastShare),
        ...aboutStart(graph, element),
        message: `${quoted(activity)} comes ${isEffect ? 'before' : 'after'} ${quoted(other)} in ${countOf(count, of, 'entity')} of type ${type} (${percent(count / of)}), and ${isEffect ? 'after' : 'before'} it in nearly all others.`,
        remedy: `Look at the examples. If it must not be, write a rule ({ activity: ${isEffect ? activity : other}, after: ${isEffect ? other : activity} }), and mend the times in the source; if times are dates only, write atEndOfDay: true or sequence:.`,
        flagged: `SELECT id FROM temp.finding_disorder WHERE entity_type = ${quote(type)} AND activity = ${quote(activity)} AND is_effect = ${isEffect}`,
      };
    });
  },
};

/** In each entity, the event that is on the wrong side of most others. */
function disorderSql(pairs: readonly OrderedPair[], explained: string): string {
  const values = pairs.map(
    (pair) => `(${[pair.entityType, pair.cause, pair.effect].map((text) => quote(text)).join(', ')})`,
  );
  return `CREATE OR REPLACE TEMP TABLE finding_disorder AS
WITH bad AS (
  SELECT a.entity_id, a.entity_type, a.activity AS cause, b.activity AS effect, a.element AS cause_element, b.element AS effect_element, a.id AS cause_id, b.id AS effect_id
  FROM ${onceTable} AS a JOIN ${onceTable} AS b ON a.entity_id = b.entity_id AND b.time < a.time
  JOIN (VALUES ${values.join(', ')}) AS p (entity_type, cause, effect)
    ON p.entity_type = a.entity_type AND p.cause = CAST(a.activity AS VARCHAR) AND p.effect = CAST(b.activity AS VARCHAR)
  WHERE a.id NOT IN (${explained}) AND b.id NOT IN (${explained})
), member AS (
  SELECT entity_id, entity_type, effect AS activity, effect_element AS element, effect_id AS id, cause AS other, true AS is_effect FROM bad
  UNION ALL SELECT entity_id, entity_type, cause, cause_element, cause_id, effect, false FROM bad
)
SELECT entity_id, entity_type, activity, any_value(element) AS element, id, min(other) AS other, bool_or(is_effect) AS is_effect
FROM member GROUP BY entity_id, entity_type, activity, id
QUALIFY row_number() OVER (PARTITION BY entity_id ORDER BY count(*) DESC, bool_or(is_effect) DESC, id) = 1`;
}
