import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';

const { quote } = duckdb.literals;

const leastEntities = 20;
const leastShare = 0.02;
/** How many times as many events as the entity that 99 % have no more than. */
const factor = 10;
/** The same for a key that stands for a missing value. */
const placeholderFactor = 3;
const leastPlaceholderEvents = 10;
const placeholder = String.raw`^(n/?a|none|null|nil|unknown|undefined|missing|dummy|test|tbd|other|various|\(?blank\)?|[-?.#*_x]+|0+|9{3,}|)$`;

/** An entity with so many events that its key is probably a missing value or a type, not a key. */
export const dominantEntity: FindingSearch = {
  kind: 'dominant-entity',
  async find(graph) {
    const rows = await graph.store.query(
      `WITH counted AS (
  SELECT entity_id, count(*) AS events FROM event_entity GROUP BY entity_id
), named AS (
  SELECT e.entity_type, e.key, c.*, regexp_matches(lower(trim(e.key)), ${quote(placeholder)}) AS is_placeholder
  FROM counted AS c JOIN entity AS e ON e.id = c.entity_id
), typed AS (
  SELECT entity_type, sum(events) AS all_events, count(*) AS entities, quantile_disc(events, 0.99) AS usual FROM named GROUP BY entity_type
)
SELECT n.entity_type, n.key, n.entity_id, n.events, n.is_placeholder, t.all_events, t.entities, t.usual
FROM named AS n JOIN typed AS t ON t.entity_type = n.entity_type
WHERE t.entities >= ${leastEntities} AND (
  (n.events >= ${factor} * t.usual AND n.events >= ${leastShare} * t.all_events)
  OR (n.is_placeholder AND n.events >= ${leastPlaceholderEvents} AND n.events >= ${placeholderFactor} * t.usual)
) ORDER BY n.events DESC, n.entity_id LIMIT 20`,
      graph.options,
    );
    return Promise.all(
      rows.map(async (row) => {
        const [id, count, of] = [row['entity_id'], row['events'], row['all_events']].map(Number) as [
          number,
          number,
          number,
        ];
        const [type, key] = [String(row['entity_type']), String(row['key'])];
        const flagged = `SELECT DISTINCT event_id AS id FROM event_entity WHERE entity_id = ${id}`;
        const [most] = await graph.store.query(
          `SELECT element, bool_and(entity_id = ${id}) AS is_own FROM event WHERE id IN (${flagged}) GROUP BY element HAVING count(*) >= 0.8 * ${count}`,
          graph.options,
        );
        const element = most ? String(most['element']) : null;
        const columns = element !== null && most?.['is_own'] === true ? graph.element(element)?.key : undefined;
        return {
          kind: 'dominant-entity' as const,
          severity: 'warning' as const,
          element,
          column: columns?.length === 1 ? (columns[0]?.value ?? null) : null,
          count,
          of,
          counts: 'events' as const,
          message: `The ${type} ${quoted(key)} has ${countOf(count, of, 'event')} (${percent(count / of)}) of its type, where 99 % of the ${Number(row['entities']).toLocaleString('en')} have at most ${Number(row['usual']).toLocaleString('en')}: its key is probably a missing value, not one thing.`,
          remedy: `Leave its rows out with where: ${columns?.[0]?.value ?? 'KEY'} <> ${quote(key)}, or make it a missing key in the data source (nullValues), so that they belong to no entity.`,
          flagged,
          ...(columns?.length === 1 && { hint: { kind: 'leaveOut' as const, value: key } }),
        };
      }),
    );
  },
};
