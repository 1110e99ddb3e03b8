import { duckdb } from '../dialects/duckdb.ts';
import { elementEntityType } from '../model/entity-graph.ts';
import { numbersOf } from './counted.ts';
import { type ElementProperty, readElementProperties } from './element-properties.ts';
import type { SearchedGraph } from './finding-kind.ts';
import { groupBy } from './group-by.ts';

const { quote } = duckdb.literals;

/** Values of a column that are cases, at least. */
const leastValues = 20;
/** Share of them that have several events of several activities. */
const leastShare = 0.8;
/** Events of a usual case: a person or a product has more. */
const mostEvents = 100;
const mostColumns = 2;

/**
 * Columns that all elements of a type have among their properties, and whose values group their events into cases,
 * better than the key does: the one with most values first.
 * @param isNested each value belongs to one entity of the type
 */
export async function caseColumns(
  type: string,
  isNested: boolean,
  graph: SearchedGraph,
): Promise<readonly { readonly column: string; readonly elements: readonly string[] }[]> {
  const { store, options } = graph;
  const elements = graph.graph.elements.filter(
    (element) => elementEntityType(element) === type && element.ownEntity?.value !== false,
  );
  const keys = new Set(elements.flatMap(({ key = [] }) => key.map(({ value }) => value)));
  const properties = (await readElementProperties(elements, graph)).filter(
    (property) => isWritten(property) && !keys.has(property.column),
  );
  const found: { readonly column: string; readonly values: number }[] = [];
  for (const group of groupBy(properties, ({ column, type: columnType }) => `${column}\0${columnType}`)) {
    if (group.length < elements.length) continue;
    const values = group.map(
      ({ table, name }) => `SELECT event_id, CAST(${duckdb.identifiers.quote(name)} AS VARCHAR) AS value FROM ${table}`,
    );
    const [row] = await store.query(
      `SELECT count(*) AS cases, count(*) FILTER (WHERE events > 1 AND activities > 1) AS several, median(events) AS usual,
  count(*) FILTER (WHERE entities = 1) AS nested FROM (
  SELECT p.value, count(*) AS events, count(DISTINCT v.activity) AS activities, count(DISTINCT v.entity_id) AS entities
  FROM (${values.join(' UNION ALL ')}) AS p JOIN event AS v ON v.id = p.event_id JOIN entity AS e ON e.id = v.entity_id
  WHERE v.lifecycle = 'start' AND e.entity_type = ${quote(type)} AND p.value IS NOT NULL GROUP BY p.value
) AS grouped`,
      options,
    );
    const { cases, several, usual, nested } = numbersOf(row, 'cases', 'several', 'usual', 'nested');
    if (cases < leastValues || several < cases * leastShare || usual > mostEvents) continue;
    if (isNested && nested < cases * leastShare) continue;
    found.push({ column: group[0].column, values: cases });
  }
  const names = elements.flatMap(({ activityName }) => activityName?.value ?? []);
  return found
    .toSorted((one, other) => other.values - one.values)
    .slice(0, mostColumns)
    .map(({ column }) => ({ column, elements: names }));
}

function isWritten({ type }: ElementProperty): boolean {
  return /^(VARCHAR|UUID|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?)$/.test(type);
}
