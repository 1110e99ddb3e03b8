import { noEnd } from '../../analysis/event-place.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';

const { quote } = duckdb.literals;

/** Events that belong to several entities of one type (convergence): the map of that type counts each several times. */
export const sharedEvents: FindingSearch = {
  kind: 'shared-events',
  async find({ store, options }) {
    const rows = await store.query(
      `WITH shared AS (
  SELECT c.event_id, e.entity_type, count(DISTINCT c.entity_id) AS entities FROM event_entity AS c JOIN entity AS e ON e.id = c.entity_id
  GROUP BY c.event_id, e.entity_type HAVING entities > 1
)
SELECT v.element, s.entity_type, count(*) AS events, max(s.entities) AS most, median(s.entities) AS usual,
  (SELECT count(*) FROM event AS o WHERE o.element = v.element AND ${noEnd('o')}) AS total
FROM shared AS s JOIN event AS v ON v.id = s.event_id WHERE ${noEnd('v')} GROUP BY v.element, s.entity_type ORDER BY events DESC, v.element, s.entity_type`,
      options,
    );
    return rows.map((row) => {
      const [count, of, most] = [Number(row['events']), Number(row['total']), Number(row['most'])];
      const [element, type] = [String(row['element']), String(row['entity_type'])];
      return {
        kind: 'shared-events' as const,
        severity: 'info' as const,
        element,
        column: null,
        count,
        of,
        counts: 'events' as const,
        message: `${countOf(count, of, 'event')} of ${quoted(element)} (${percent(count / of)}) belong to several entities of the type ${type}, up to ${most.toLocaleString('en')}: a map of this type counts each once for every one of them.`,
        remedy: `Read the map of all types with the measure events, which counts them once, or that of the type that ${quoted(element)} is about.`,
        flagged: `SELECT c.event_id AS id FROM event_entity AS c JOIN entity AS e ON e.id = c.entity_id JOIN event AS v ON v.id = c.event_id
WHERE v.element = ${quote(element)} AND e.entity_type = ${quote(type)} GROUP BY c.event_id HAVING count(DISTINCT c.entity_id) > 1`,
      };
    });
  },
};
