import { noEnd } from '../../analysis/event-place.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';

const { quote } = duckdb.literals;

/** Activities that an entity has several times because it has several related entities (divergence). */
export const divergingEvents: FindingSearch = {
  kind: 'diverging-events',
  async find({ store, options }) {
    await store.run(
      `CREATE OR REPLACE TEMP TABLE finding_diverging AS
SELECT e.entity_type, c.entity_id, v.element, v.activity, count(DISTINCT v.entity_id) AS owners
FROM event_entity AS c JOIN event AS v ON v.id = c.event_id JOIN entity AS e ON e.id = c.entity_id
WHERE ${noEnd('v')} AND v.entity_id <> c.entity_id GROUP BY ALL`,
      options,
    );
    const rows = await store.query(
      `SELECT entity_type, element, count(DISTINCT entity_id) AS total, count(DISTINCT entity_id) FILTER (WHERE owners > 1) AS entities, max(owners) AS most
FROM temp.finding_diverging GROUP BY entity_type, element HAVING entities > 0 ORDER BY entities DESC, element, entity_type`,
      options,
    );
    return rows.map((row) => {
      const [count, of, most] = [Number(row['entities']), Number(row['total']), Number(row['most'])];
      const [type, element] = [String(row['entity_type']), String(row['element'])];
      return {
        kind: 'diverging-events' as const,
        severity: 'info' as const,
        element,
        column: null,
        count,
        of,
        counts: 'entities' as const,
        message: `${countOf(count, of, 'entity')} of the type ${type} (${percent(count / of)}) have events of ${quoted(element)} of several things each, up to ${most.toLocaleString('en')}: on the map of this type they look like repetitions and loops.`,
        remedy: `Read ${quoted(element)} on the map of all types, or of the type that it is about; a loop there is a real one.`,
        flagged: `SELECT DISTINCT c.event_id AS id FROM event_entity AS c JOIN event AS v ON v.id = c.event_id
JOIN temp.finding_diverging AS d ON d.entity_id = c.entity_id AND d.activity = v.activity AND d.element = v.element
WHERE d.owners > 1 AND v.entity_id <> c.entity_id AND d.element = ${quote(element)} AND d.entity_type = ${quote(type)}`,
      };
    });
  },
};
