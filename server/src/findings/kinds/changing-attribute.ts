import { duckdb } from '../../dialects/duckdb.ts';
import { type ElementProperty, readElementProperties } from '../element-properties.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';
import { groupBy } from '../group-by.ts';

const { quote } = duckdb.literals;

const leastEntities = 50;
const fewest = 5;
/** Beyond the other share, the attribute changes as a part of the process. */
const [leastShare, mostShare] = [0.005, 0.25];
/** Further ones that a finding names. */
const shownNames = 5;
/** Properties that are compared at most. */
const mostProperties = 100;

interface TypedFinding {
  readonly type: string;
  readonly name: string;
  readonly finding: FoundFinding;
}

/** The events with another value, by the number of the finding. */
const changedTable = 'temp.finding_changed';

/** An attribute that has one value in nearly all entities, and several in a few: it may be right. */
export const changingAttribute: FindingSearch = {
  kind: 'changing-attribute',
  async find(graph) {
    const properties = await readElementProperties(graph.graph.elements, graph);
    await graph.store.run(`CREATE OR REPLACE TEMP TABLE finding_changed (number INTEGER, id BIGINT)`, graph.options);
    const found: TypedFinding[] = [];
    for (const group of groupBy(properties, ({ name, type }) => `${name}\0${type}`).slice(0, mostProperties))
      found.push(...(await findingsOf(group, graph)));
    const ofType = groupBy(
      found.toSorted((one, other) => other.finding.count - one.finding.count),
      ({ type }) => type,
    );
    // Many change in a log of changes: one finding tells of all.
    return ofType.map(([{ finding }, ...others]) => {
      const names = others.map(({ name }) => quoted(name)).slice(0, shownNames);
      const left = others.length - names.length;
      const more = left > 0 ? [`${left} more`] : [];
      const also = names.length === 0 ? '' : ` So have, in fewer: ${[...names, ...more].join(', ')}.`;
      return { ...finding, message: `${finding.message}${also}` };
    });
  },
};

/** Of the property of one name of all elements. */
async function findingsOf(
  properties: readonly [ElementProperty, ...ElementProperty[]],
  graph: SearchedGraph,
): Promise<readonly TypedFinding[]> {
  const types = await typesOf(properties, graph);
  if (types.length === 0) return [];
  const { store, options } = graph;
  const found: TypedFinding[] = [];
  await store.run(
    `CREATE OR REPLACE TEMP TABLE finding_value AS
WITH own AS (${valuesSql(properties)}), several AS (
  SELECT entity_id, mode(value) AS usual FROM own GROUP BY entity_id HAVING min(value) <> max(value)
)
SELECT e.entity_type, o.id, o.element FROM own AS o JOIN several AS s ON s.entity_id = o.entity_id JOIN entity AS e ON e.id = o.entity_id
WHERE o.value <> s.usual`,
    options,
  );
  for (const { type, of, count } of types) {
    const isOfType = `entity_type = ${quote(type)}`;
    const [row] = await store.query(
      `SELECT mode(element) AS element FROM temp.finding_value WHERE ${isOfType}`,
      options,
    );
    const element = String(row?.['element']);
    const [added] = await store.query(`SELECT coalesce(max(number), 0) + 1 AS number FROM ${changedTable}`, options);
    const number = Number(added?.['number']);
    await store.run(
      `INSERT INTO ${changedTable} SELECT ${number}, id FROM temp.finding_value WHERE ${isOfType}`,
      options,
    );
    const column = properties.find((each) => each.element.activityName?.value === element)?.column ?? null;
    const finding: FoundFinding = {
      kind: 'changing-attribute',
      severity: 'info',
      element,
      column,
      count,
      of,
      counts: 'entities',
      message: `${quoted(properties[0].name)} has several values in ${countOf(count, of, 'entity')} of the type ${type} (${percent(count / of)}), most often at ${quoted(element)}, and one in all others.`,
      remedy:
        'Look at the timelines: if it must not change, a value was overwritten or is of another entity. Take it from a table of the entities (entities) then, or mend it in the source.',
      flagged: `SELECT id FROM ${changedTable} WHERE number = ${number}`,
    };
    found.push({ type, name: properties[0].name, finding });
  }
  return found;
}

interface ChangingType {
  readonly type: string;
  /** Its entities that have the property twice or more, and those of them with several values. */
  readonly of: number;
  readonly count: number;
}

/** The types with few entities that have several values. Of most properties this is all that is asked. */
async function typesOf(
  properties: readonly ElementProperty[],
  { store, options }: SearchedGraph,
): Promise<readonly ChangingType[]> {
  const rows = await store.query(
    `SELECT e.entity_type, count(*) AS entities, count(*) FILTER (WHERE o.least <> o.most) AS changed FROM (
  SELECT entity_id, min(value) AS least, max(value) AS most FROM (${valuesSql(properties)}) AS own GROUP BY entity_id HAVING count(*) > 1
) AS o JOIN entity AS e ON e.id = o.entity_id GROUP BY e.entity_type ORDER BY e.entity_type`,
    options,
  );
  return rows
    .map((row) => ({ type: String(row['entity_type']), of: Number(row['entities']), count: Number(row['changed']) }))
    .filter(
      ({ of, count }) => of >= leastEntities && count >= fewest && count >= of * leastShare && count <= of * mostShare,
    );
}

/** SQL of the values of a property at the events of entities. */
function valuesSql(properties: readonly ElementProperty[]): string {
  const values = properties.map(
    ({ table, name }) => `SELECT event_id, ${duckdb.identifiers.quote(name)} AS value FROM ${table}`,
  );
  return `SELECT v.entity_id, v.id, v.element, p.value FROM (${values.join(' UNION ALL ')}) AS p JOIN event AS v ON v.id = p.event_id
WHERE v.entity_id IS NOT NULL AND v.lifecycle = 'start' AND p.value IS NOT NULL`;
}
