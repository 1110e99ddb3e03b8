import { duckdb } from '../dialects/duckdb.ts';
import type { EntityElement } from '../model/entity-graph.ts';
import { numbersOf } from './counted.ts';
import { hasIntegers, readElementProperties } from './element-properties.ts';
import type { OpenStore } from './open-store.ts';
import { stepTable } from './step-tables.ts';

const { quote } = duckdb.literals;

/** Share of the steps at one time that a column must decide, and of the others that it must number in their order. */
const leastShare = 0.95;
const leastSteps = 20;
const mostColumns = 3;

/** Columns among the properties of one or two elements that number their rows in the order of their times. */
export async function sequenceColumns(
  elements: readonly EntityElement[],
  { store, options }: OpenStore,
): Promise<readonly string[]> {
  const numbers = (await readElementProperties(elements, { store, options })).filter(hasIntegers);
  const columns = [...new Set(numbers.map(({ column }) => column))];
  const common = columns.filter((column) =>
    elements.every((element) => numbers.some((each) => each.element === element && each.column === column)),
  );
  const found: string[] = [];
  for (const column of common) {
    const values = numbers
      .filter((each) => each.column === column)
      .map(({ name, table }) => `SELECT event_id, ${duckdb.identifiers.quote(name)} AS number FROM ${table}`);
    const names = elements.map(({ activityName }) => quote(activityName?.value ?? '')).join(', ');
    const [row] = await store.query(
      `WITH numbered AS (${values.join(' UNION ALL ')})
SELECT count(*) FILTER (WHERE f.source_time = f.target_time) AS tied, count(*) FILTER (WHERE f.source_time = f.target_time AND s.number <> t.number) AS decided,
  count(*) FILTER (WHERE f.source_time < f.target_time) AS others, count(*) FILTER (WHERE f.source_time < f.target_time AND s.number < t.number) AS ordered
FROM ${stepTable} AS f JOIN numbered AS s ON s.event_id = f.source_event_id JOIN numbered AS t ON t.event_id = f.target_event_id
WHERE f.source_element IN (${names}) AND f.target_element IN (${names}) AND f.source_activity <> f.target_activity`,
      options,
    );
    const { tied, decided, others, ordered } = numbersOf(row, 'tied', 'decided', 'others', 'ordered');
    if (decided >= tied * leastShare && others >= leastSteps && ordered >= others * leastShare) found.push(column);
  }
  return found.slice(0, mostColumns);
}
