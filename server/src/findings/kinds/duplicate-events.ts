import { duckdb } from '../../dialects/duckdb.ts';
import type { EntityElement } from '../../model/entity-graph.ts';
import { propertiesTable } from '../../graph-schema/table-names.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted } from '../finding-texts.ts';

const { quote } = duckdb.literals;

/** From this share of the events of an element on, it is a warning. */
const leastShare = 0.005;

/** Events that agree with an earlier one in activity, time, entities and all properties. */
export const duplicateEvents: FindingSearch = {
  kind: 'duplicate-events',
  async find(graph) {
    const rows = await graph.store.query(
      `SELECT element, sum(events) AS events, sum(events - 1) FILTER (WHERE events > 1) AS extra FROM (
  SELECT element, count(*) AS events FROM event WHERE lifecycle = 'start' GROUP BY element, activity, time, entity_id
) AS alike GROUP BY element HAVING extra > 0 ORDER BY element`,
      graph.options,
    );
    const found: FoundFinding[] = [];
    for (const row of rows) found.push(...(await ofElement(graph, String(row['element']), Number(row['events']))));
    return found;
  },
};

async function ofElement(graph: SearchedGraph, name: string, events: number): Promise<readonly FoundFinding[]> {
  const { store, options } = graph;
  const element = graph.element(name);
  if (!element) return [];
  const table = propertiesTable(element.index + 1);
  const properties = (await store.describe(`SELECT * FROM ${table}`)).map((column) => column.name);
  // Rows that differ in their sequence, or in a key that makes no entity, are no duplicates; the graph knows both only as properties.
  const key = (element.key ?? []).map(({ value }) => value);
  const telling = [
    ...(element.sequence ? [element.sequence.value] : []),
    ...(element.ownEntity?.value === false ? key : []),
  ];
  if (telling.some((column) => !properties.includes(column))) return [];
  const values = properties.filter((property) => property !== 'event_id');
  const valuesSql = values.map((property) => duckdb.identifiers.quote(property));
  const flagged = `SELECT id FROM (
  SELECT v.id, row_number() OVER (PARTITION BY v.activity, v.time, c.entities${valuesSql.map((value) => `, p.${value}`).join('')} ORDER BY v.id) AS place
  FROM (
    SELECT id, activity, time, entity_id FROM event WHERE element = ${quote(name)} AND lifecycle = 'start'
    QUALIFY count(*) OVER (PARTITION BY activity, time, entity_id) > 1
  ) AS v
  JOIN ${table} AS p ON p.event_id = v.id
  JOIN (SELECT event_id, list_sort(list(DISTINCT entity_id)) AS entities FROM event_entity GROUP BY event_id) AS c ON c.event_id = v.id
) AS alike WHERE place > 1`;
  const [row] = await store.query(`SELECT count(*) AS events FROM (${flagged}) AS flagged`, options);
  const count = Number(row?.['events'] ?? 0);
  if (count === 0) return [];
  const columns = columnsOf(element, values);
  const alike =
    values.length === 0
      ? 'activity, time and entity; it has no properties that could differ'
      : `time, entity and ${values.length === 1 ? 'its property' : `all ${values.length} properties`}`;
  return [
    {
      kind: 'duplicate-events',
      severity: count >= events * leastShare && values.length > 0 ? 'warning' : 'info',
      element: name,
      column: key.length === 1 ? (key[0] ?? null) : null,
      count,
      of: events,
      counts: 'events',
      message: `${countOf(count, events, 'event')} of ${quoted(name)} (${percent(count / events)}) agree with an earlier one in ${alike}: they were probably recorded twice.`,
      remedy:
        'Keep one row of each with a where, such as id = (SELECT min(id) …), or remove the others in the source; expect: unique: tells when they come back.',
      flagged,
      ...(columns && { hint: { kind: 'keepOne', columns } }),
    },
  ];
}

/** The columns in which the rows agree; undefined where a part is no column. */
function columnsOf(element: EntityElement, values: readonly string[]): readonly string[] | undefined {
  const { key, startTimestamp, endTimestamp, changeTimestamp, activityColumn, properties, correlatesWith } = element;
  if (!key || !startTimestamp || endTimestamp || changeTimestamp || correlatesWith) return undefined;
  const columns = properties.kind === 'all' ? values : properties.columns.map(({ value }) => value);
  return [
    ...new Set(
      [...key, startTimestamp, ...(activityColumn ? [activityColumn] : [])].map(({ value }) => value).concat(columns),
    ),
  ];
}
