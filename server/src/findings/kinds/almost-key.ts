import { duckdb } from '../../dialects/duckdb.ts';
import { counted, numbersOf } from '../counted.ts';
import { type ElementProperty, hasIntegers, readElementProperties } from '../element-properties.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';
import { groupBy } from '../group-by.ts';

const { quote } = duckdb.literals;

const keyName = /(^|[^a-z])(id|no|nr|num|number|code|ref|reference|uuid|guid|key)$/i;
/** Texts such as INV-10045; numbers alone may be amounts. */
const keyValue = '^[A-Za-z]{1,8}[-_/]?[0-9]{3,}$';
const leastKeys = 0.95;
const leastEvents = 50;
const fewest = 5;
/** From this share on it is a warning; beyond the other one the column is no key. */
const [leastShare, mostShare] = [0.005, 0.25];
/** Least share of estimated values: half of the rows may be duplicates, and estimates are a few percent off. */
const leastVaried = 0.25;

/** A column that is different in nearly each row, and repeated in a few. */
export const almostKey: FindingSearch = {
  kind: 'almost-key',
  async find(graph) {
    const properties = await readElementProperties(graph.graph.elements, graph);
    const judged = properties.filter((property) => {
      const { element, column, type } = property;
      const isKey = (element.key ?? []).some(({ value }) => value === column);
      return !isKey && (type === 'VARCHAR' || type === 'UUID' || hasIntegers(property));
    });
    const found: FoundFinding[] = [];
    for (const own of groupBy(judged, ({ table }) => table)) {
      for (const property of await variedOnes(own, graph)) found.push(...(await findingOf(property, graph)));
    }
    return found;
  },
};

/** Of the properties of a table, those with many values for their rows, as one pass over it estimates them. */
async function variedOnes(
  properties: readonly [ElementProperty, ...ElementProperty[]],
  { store, options }: SearchedGraph,
): Promise<readonly ElementProperty[]> {
  const shares = properties.map(({ name }, index) => {
    const value = duckdb.identifiers.quote(name);
    return `approx_count_distinct(${value}) >= ${leastVaried} * count(${value}) AS is_varied_${index}`;
  });
  const [row] = await store.query(`SELECT ${shares.join(', ')} FROM ${properties[0].table}`, options);
  return properties.filter((_, index) => row?.[`is_varied_${index}`] === true);
}

async function findingOf(property: ElementProperty, graph: SearchedGraph): Promise<readonly FoundFinding[]> {
  const { element, table, name, column, type } = property;
  const activity = element.activityName?.value ?? '';
  const value = `p.${duckdb.identifiers.quote(name)}`;
  const rows = `event AS v JOIN ${table} AS p ON p.event_id = v.id
WHERE v.lifecycle = 'start' AND v.element = ${quote(activity)} AND ${value} IS NOT NULL AND v.id NOT IN (${graph.flaggedBy('duplicate-events')})`;
  const isKeyValue = type === 'VARCHAR' ? `regexp_matches(${value}, ${quote(keyValue)})` : 'false';
  const [row] = await graph.store.query(
    `SELECT count(*) AS events, count(DISTINCT ${value}) AS distinct_values, count(*) FILTER (WHERE ${isKeyValue}) AS keys FROM ${rows}`,
    graph.options,
  );
  const { events: of, distinct_values: distinct, keys } = numbersOf(row, 'events', 'distinct_values', 'keys');
  const count = of - distinct;
  if (of < leastEvents || count < fewest || count > of * mostShare) return [];
  if (!keyName.test(column) && keys < of * leastKeys) return [];
  return [
    {
      kind: 'almost-key',
      ...counted('events', count, of, leastShare),
      element: activity,
      column,
      message: `${countOf(count, of, 'event')} of ${quoted(activity)} (${percent(count / of)}) repeat a value of ${quoted(column)}, which is different in all others: as a key or in a relationship it joins what does not belong together.`,
      remedy: `Expect it to be unique (expect: { unique: [${column}] }), so that an import names the rows, and mend these in the source; do not use it as a key until then.`,
      flagged: `SELECT v.id FROM ${rows} QUALIFY row_number() OVER (PARTITION BY ${value} ORDER BY v.id) > 1`,
      hint: { kind: 'unique' },
    },
  ];
}
