import { leastPlaceholderEvents, missingKeyPattern, placeholderFactor } from '../../model/missing-key.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { caseColumns } from '../case-columns.ts';
import { numbersOf } from '../counted.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';
import { groupBy } from '../group-by.ts';

const { quote } = duckdb.literals;

const leastEntities = 20;
const leastShare = 0.02;
/** How many times as many events as the entity that 99 % have no more than. */
const factor = 10;
/** Of a key that is a type: events of a usual entity at least, and how many of each activity. */
const [leastEvents, leastRepeated] = [100, 20];

/** An entity with so many events that its key is probably a missing value, or entities that are types of things. */
export const dominantEntity: FindingSearch = {
  kind: 'dominant-entity',
  async find(graph) {
    return [...(await placeholders(graph)), ...(await typesAsEntities(graph))];
  },
};

async function placeholders(graph: SearchedGraph): Promise<readonly FoundFinding[]> {
  const rows = await graph.store.query(
    `WITH counted AS (
  SELECT entity_id, count(*) AS events FROM event_entity GROUP BY entity_id
), named AS (
  SELECT e.entity_type, e.key, c.*, row_number() OVER (PARTITION BY e.entity_type ORDER BY c.events DESC) AS place,
    count(*) OVER (PARTITION BY e.entity_type) AS entities, regexp_matches(lower(trim(e.key)), ${quote(missingKeyPattern)}) AS is_placeholder
  FROM counted AS c JOIN entity AS e ON e.id = c.entity_id
), typed AS (
  SELECT entity_type, sum(events) AS all_events, max(events) FILTER (WHERE place > greatest(1, entities // 100)) AS usual FROM named GROUP BY entity_type
)
SELECT n.entity_type, n.key, n.entity_id, n.events, t.all_events, n.entities, t.usual
FROM named AS n JOIN typed AS t ON t.entity_type = n.entity_type
WHERE n.entities >= ${leastEntities} AND (
  (n.events >= ${factor} * t.usual AND n.events >= ${leastShare} * t.all_events)
  OR (n.is_placeholder AND n.events >= ${leastPlaceholderEvents} AND n.events >= ${placeholderFactor} * t.usual)
) ORDER BY n.events DESC, n.entity_id LIMIT 20`,
    graph.options,
  );
  return Promise.all(rows.map((row) => placeholderFinding(row, graph)));
}

async function placeholderFinding(row: Readonly<Record<string, unknown>>, graph: SearchedGraph): Promise<FoundFinding> {
  const numbers = numbersOf(row, 'entity_id', 'events', 'all_events', 'entities', 'usual');
  const { entity_id: id, events: count, all_events: of } = numbers;
  const [type, key] = [String(row['entity_type']), String(row['key'])];
  const flagged = `SELECT DISTINCT event_id AS id FROM event_entity WHERE entity_id = ${id}`;
  const elements = await graph.store.query(
    `SELECT element, count(*) AS events FROM event WHERE entity_id = ${id} GROUP BY element ORDER BY events DESC, element`,
    graph.options,
  );
  const names = elements.map(({ element }) => String(element));
  // The elements whose rows have the key, if it is one column in all of them.
  const places = names.flatMap((element) => {
    const [column, ...others] = graph.element(element)?.key ?? [];
    return column && others.length === 0 ? [{ element, column: column.value }] : [];
  });
  const isOwn = places.length > 0 && places.length === names.length;
  const isMost = Number(elements[0]?.['events'] ?? 0) >= 0.8 * count;
  const [place] = places;
  return {
    kind: 'dominant-entity',
    severity: 'warning',
    element: isMost ? (names[0] ?? null) : null,
    column: isMost && isOwn && place ? place.column : null,
    count,
    of,
    counts: 'events',
    message: `The ${type} ${quoted(key)} has ${countOf(count, of, 'event')} (${percent(count / of)}) of its type, where 99 % of the ${numbers.entities.toLocaleString('en')} have at most ${numbers.usual.toLocaleString('en')}: its key is probably a missing value, not one thing.`,
    remedy: isOwn
      ? `Leave its rows out (${conditionsText(places, key)}), or make it a missing key in the data source (nullValues), so that they belong to no entity.`
      : `Make ${quoted(key)} a missing key in the data source (nullValues), so that these events belong to no such entity.`,
    flagged,
    ...(isOwn && { hint: { kind: 'leaveOut', value: key, places } }),
  };
}

/** Such as `where: "case" <> 'N/A' at "Place Order" and "Ship Order"`. */
function conditionsText(places: readonly { readonly element: string; readonly column: string }[], key: string): string {
  const byColumn = groupBy(places, ({ column }) => column).map((group) => {
    const [{ column, element }, ...others] = group;
    const more =
      others.length > 1
        ? `and ${others.length} more elements`
        : others.map((one) => `and ${quoted(one.element)}`).join('');
    return `where: ${duckdb.identifiers.quote(column)} <> ${quote(key)} at ${[quoted(element), more].filter(Boolean).join(' ')}`;
  });
  return byColumn.join('; ');
}

/** A few entities with all events of a type, each with every activity many times, where a column groups them into cases. */
async function typesAsEntities(graph: SearchedGraph): Promise<readonly FoundFinding[]> {
  const rows = await graph.store.query(
    `SELECT e.entity_type, count(*) AS entities, sum(c.events) AS all_events, median(c.events) AS usual, median(c.events / c.activities) AS repeated
FROM (
  SELECT v.entity_id, count(*) AS events, count(DISTINCT v.activity) AS activities FROM event AS v
  WHERE v.lifecycle = 'start' AND v.entity_id IS NOT NULL GROUP BY v.entity_id
) AS c JOIN entity AS e ON e.id = c.entity_id GROUP BY e.entity_type
HAVING usual >= ${leastEvents} AND repeated >= ${leastRepeated} ORDER BY e.entity_type`,
    graph.options,
  );
  const found: FoundFinding[] = [];
  for (const row of rows) {
    const type = String(row['entity_type']);
    const { entities, all_events: of, usual } = numbersOf(row, 'entities', 'all_events', 'usual');
    const [best, ...others] = await caseColumns(type, true, graph);
    // People and machines have many events of each activity, too: only a better key tells that it is none.
    if (!best) continue;
    found.push({
      kind: 'dominant-entity',
      severity: 'warning',
      element: best.elements.length === 1 ? (best.elements[0] ?? null) : null,
      column: keyOf(best.elements, graph),
      count: of,
      of,
      counts: 'events',
      message: `${entities === 1 ? `One entity has all events of the type ${type}` : `Half of the ${entities.toLocaleString('en')} entities of the type ${type} have ${Math.round(usual).toLocaleString('en')} events or more`}, with each activity many times: the key is probably a type or a group, not the thing that goes through the process, which ${quoted(best.column)} tells.`,
      remedy: `Choose ${quoted(best.column)} as key.`,
      flagged: `SELECT v.id FROM event AS v JOIN entity AS e ON e.id = v.entity_id WHERE e.entity_type = ${quote(type)}`,
      hint: { kind: 'key', elements: best.elements, columns: [best, ...others].map(({ column }) => column) },
    });
  }
  return found;
}

function keyOf([element = '', ...others]: readonly string[], graph: SearchedGraph): string | null {
  const key = others.length === 0 ? graph.element(element)?.key : undefined;
  return key?.length === 1 ? (key[0]?.value ?? null) : null;
}
