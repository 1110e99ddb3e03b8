import type {
  HistoryNumber,
  NumberParams,
  NumberSql,
  PathMeasure,
  ShownNumber,
} from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { millisecondsSql, shownQuantiles } from '../graph-schema/duration-classes.ts';
import { countedTables } from '../graph-schema/graph-schema.ts';
import { entityPropertiesTable, entryOf, propertiesTable } from '../graph-schema/table-names.ts';
import { type EntityFilter, entityCondition, eventCondition } from '../analysis/filter-entities.ts';
import { eventPlaceSql, noEnd, noEndId } from '../analysis/event-place.ts';
import { type MapView, stepsCountSql, whereSql } from './map-query.ts';

const { quote } = duckdb.literals;

/** What a number counts: `rows` is a query, the others are SQL over its columns. */
interface Counted {
  readonly rows: string;
  /** Computes the number from the rows. */
  readonly number: string;
  /** The columns of the rows that hold ids of events and of entities. */
  readonly events: readonly string[];
  readonly entities: readonly string[];
  /** A query over the rows, named `counted`, that people can read; the rows themselves if absent. */
  readonly readable?: string;
}

/** Numbers whose SQL needs no further data. */
type CountedNumber = Exclude<ShownNumber, HistoryNumber>;

/** The SQL that gives a number of the panel, and the events, entities and rows behind it. Over the tables of the graph, so that everybody can check it. */
export function numberSql({
  number,
  filter,
  measure = 'events',
  lifecycle = false,
}: Omit<NumberParams, 'number' | 'filter'> & {
  readonly number: CountedNumber;
  readonly filter: EntityFilter;
}): NumberSql {
  const counted = countedBy(number, { filter, measure, lifecycle });
  const { rows, readable = 'SELECT * FROM counted' } = counted;
  const withRows = `WITH counted AS (\n${rows}\n)\n`;
  const ids = (columns: readonly string[]): string =>
    columns.length === 0
      ? 'SELECT NULL WHERE false'
      : columns.map((column) => `SELECT ${column} FROM counted`).join(' UNION ');
  return {
    number: `${withRows}SELECT ${counted.number} FROM counted`,
    events: `${withRows}SELECT v.id AS event_id, v.time, v.activity, v.lifecycle, v.element, own.entity_type, own.key
FROM event AS v LEFT JOIN entity AS own ON own.id = v.entity_id
WHERE v.id IN (${ids(counted.events)})
ORDER BY v.id`,
    entities: `${withRows}SELECT e.id AS entity_id, e.entity_type, e.key, count(DISTINCT v.id) AS events,
  min(v.time) AS first, max(v.time) AS last, max(v.time) - min(v.time) AS throughput
FROM entity AS e LEFT JOIN event_entity AS c ON c.entity_id = e.id LEFT JOIN event AS v ON v.id = c.event_id
WHERE e.id IN (${ids(counted.entities)})
GROUP BY e.id, e.entity_type, e.key ORDER BY e.id`,
    rows: `${withRows}${readable}`,
  };
}

function countedBy(number: CountedNumber, view: MapView): Counted {
  switch (number.kind) {
    case 'node':
      return countedAtNode(number, view);
    case 'path':
      return countedOnPath(number, view);
    case 'entities':
      return { ...pairs(view), number: 'count(DISTINCT entity_id) AS entities' };
    case 'events':
      return { ...pairs(view), number: 'count(DISTINCT event_id) AS events' };
    case 'time': {
      const isThen = `date_trunc(${quote(number.unit)}, v.time) = CAST(${quote(number.start)} AS TIMESTAMP)`;
      return ofEvents(whereSql(isThen, noEnd('v'), eventCondition(view.filter, 'v.id')));
    }
    case 'value':
      return countedAtValue(number, view);
    case 'otherValues':
      return countedAtOtherValues(number, view);
    case 'table':
      return countedInTable(number.table);
    case 'entityType':
      return countedInRows('entity', `entity_type = ${quote(number.entityType)}`);
    case 'relationship':
      return countedInRows('relation', `relationship = ${quote(number.relationship)}`);
    case 'total':
      return countedInAll(number.total);
    case 'eventsBefore':
      return ofEvents(`WHERE v.time < ${timeLiteral(number.time)}`);
    case 'eventsAfter':
      return ofEvents(`WHERE v.time > ${timeLiteral(number.time)}`);
    case 'starts':
      return ofEvents(`WHERE v.element = ${quote(number.element)} AND v.lifecycle = 'start'`);
    case 'eventsWithoutEntity': {
      const isAlone = 'NOT EXISTS (SELECT 1 FROM event_entity AS ee WHERE ee.event_id = v.id)';
      return ofEvents(`WHERE v.element = ${quote(number.element)} AND v.entity_id IS NULL AND ${isAlone}`);
    }
    case 'namedOnly':
      return namedOnly(number);
    case 'youngerEnds':
      return youngerEnds(number);
    case 'event':
      return ofEvents(`WHERE v.id = ${Math.trunc(number.id)}`);
    case 'broken':
      return {
        rows: `SELECT entity_id, event_id, expectation, found FROM rule_violation ${whereSql(`rule = ${Math.trunc(number.rule)}`, brokenWithin(view.filter))}`,
        number: 'count(DISTINCT coalesce(event_id, entity_id)) AS broken',
        events: ['event_id'],
        entities: ['entity_id'],
        readable: `SELECT e.entity_type, e.key, v.id AS event_id, v.time, v.activity, counted.expectation, counted.found
FROM counted LEFT JOIN entity AS e ON e.id = counted.entity_id LEFT JOIN event AS v ON v.id = counted.event_id
ORDER BY e.id, v.id, counted.expectation`,
      };
    case 'entity': {
      const rows = `SELECT DISTINCT event_id, entity_id FROM event_entity WHERE entity_id = ${Math.trunc(number.id)}`;
      return { ...readablePairs, rows, number: 'count(*) AS events' };
    }
  }
}

/** Rows of `rule_violation` whose judged thing, an event or an entity, is within a filter. */
function brokenWithin(filter: EntityFilter): string | undefined {
  const [entity, event] = [entityCondition(filter, 'entity_id'), eventCondition(filter, 'event_id')];
  return entity && event && `CASE WHEN event_id IS NULL THEN ${entity} ELSE ${event} END`;
}

const readablePairs = {
  events: ['event_id'],
  entities: ['entity_id'],
  readable: `SELECT v.id AS event_id, v.time, v.activity, v.lifecycle, e.entity_type, e.key
FROM counted JOIN event AS v ON v.id = counted.event_id JOIN entity AS e ON e.id = counted.entity_id
ORDER BY v.id, e.id`,
} satisfies Partial<Counted>;

/** The pairs of event and entity of the view. */
function pairs({ filter }: MapView, ...conditions: readonly string[]): Omit<Counted, 'number'> {
  const where = whereSql(noEnd('v'), ...conditions, entityCondition(filter, 'ee.entity_id'));
  const rows = `SELECT DISTINCT ee.event_id, ee.entity_id FROM event_entity AS ee JOIN event AS v ON v.id = ee.event_id\n${where}`;
  return { ...readablePairs, rows };
}

function ofEvents(where: string): Counted {
  return {
    rows: `SELECT v.id AS event_id, v.entity_id, v.time, v.activity, v.lifecycle, v.element FROM event AS v\n${where}`,
    number: 'count(*) AS events',
    events: ['event_id'],
    entities: ['entity_id'],
    readable: 'SELECT * FROM counted ORDER BY event_id',
  };
}

function countedAtNode({ activity, number }: Extract<ShownNumber, { kind: 'node' }>, view: MapView): Counted {
  const isHere = `${eventPlaceSql('v', view)} = ${quote(activity)}`;
  if (number === 'serviceMedian' || number === 'serviceP90') {
    return countedServices(isHere, number === 'serviceMedian' ? 'median' : 'p90', view);
  }
  if (number === 'starts' || number === 'ends') {
    const ends = `SELECT ${number === 'starts' ? 'min' : 'max'}(ee.event_id) AS event_id, ee.entity_id FROM event_entity AS ee ${whereSql(noEndId('ee.event_id'), entityCondition(view.filter, 'ee.entity_id'))} GROUP BY ee.entity_id`;
    const rows = `SELECT ee.event_id, ee.entity_id FROM (${ends}) AS ee JOIN event AS v ON v.id = ee.event_id\nWHERE ${isHere}`;
    return { ...readablePairs, rows, number: 'count(*) AS entities' };
  }
  const measure = number === 'events' || view.filter.entityType !== undefined ? 'events' : view.measure;
  const counts = {
    events: 'count(DISTINCT event_id) AS events',
    objects: 'count(DISTINCT entity_id) AS entities',
    pairs: 'count(*) AS pairs',
  };
  return { ...pairs(view, isHere), number: counts[measure] };
}

/** The starts of an activity with their ends. */
function countedServices(isHere: string, quantile: keyof typeof shownQuantiles, { filter }: MapView): Counted {
  return {
    rows: `SELECT v.entity_id, service.start_event_id, service.end_event_id, v.time AS start_time, ended.time AS end_time, service.milliseconds
FROM service_time AS service JOIN event AS v ON v.id = service.start_event_id JOIN event AS ended ON ended.id = service.end_event_id
${whereSql(isHere, eventCondition(filter, 'v.id'))}`,
    number: `quantile_cont(milliseconds, ${shownQuantiles[quantile]}) AS ${quantile}_milliseconds`,
    events: ['start_event_id', 'end_event_id'],
    entities: ['entity_id'],
    readable: `SELECT e.entity_type, e.key, counted.start_time, counted.end_time, counted.milliseconds, counted.start_event_id, counted.end_event_id
FROM counted LEFT JOIN entity AS e ON e.id = counted.entity_id
ORDER BY counted.start_event_id`,
  };
}

function countedOnPath(
  { source, target, entityType, number }: Extract<ShownNumber, { kind: 'path' }>,
  view: MapView,
): Counted {
  const where = whereSql(
    `${eventPlaceSql('s', view)} = ${quote(source)}`,
    `${eventPlaceSql('t', view)} = ${quote(target)}`,
    entityCondition(view.filter, 'df.entity_id'),
    entityType === undefined ? undefined : entityCondition({ entityType }, 'df.entity_id'),
  );
  return {
    rows: `SELECT df.entity_id, df.source_event_id, df.target_event_id, s.time AS source_time, t.time AS target_time,
  ${millisecondsSql('s.time', 't.time')} AS milliseconds
FROM directly_follows AS df JOIN event AS s ON s.id = df.source_event_id JOIN event AS t ON t.id = df.target_event_id
${where}`,
    number: number === 'count' ? `${stepsCountSql(view, '')} AS n` : `${timeSql(number)} AS ${number}_milliseconds`,
    events: ['source_event_id', 'target_event_id'],
    entities: ['entity_id'],
    readable: `SELECT e.entity_type, e.key, counted.source_time, counted.target_time, counted.milliseconds, counted.source_event_id, counted.target_event_id
FROM counted JOIN entity AS e ON e.id = counted.entity_id
ORDER BY counted.source_event_id, e.id`,
  };
}

function timeSql(number: Exclude<PathMeasure, 'count'>): string {
  return number === 'total' ? 'round(sum(milliseconds))' : `quantile_cont(milliseconds, ${shownQuantiles[number]})`;
}

function countedAtValue(
  { element, property, value }: Extract<ShownNumber, { kind: 'value' }>,
  { filter }: MapView,
): Counted {
  const is = `${valueText('p', property)} IS NOT DISTINCT FROM ${value === null ? 'NULL' : quote(value)}`;
  return { ...propertyRows(element, '', is, eventCondition(filter, 'p.event_id')), number: 'count(*) AS events' };
}

function countedAtOtherValues(
  { element, property, shown, number }: Extract<ShownNumber, { kind: 'otherValues' }>,
  { filter }: MapView,
): Counted {
  const texts = shown.flatMap((value) => (value === null ? [] : [quote(value)]));
  const isOther = [
    ...(texts.length === 0 ? [] : [`coalesce(${valueText('p', property)} NOT IN (${texts.join(', ')}), true)`]),
    ...(shown.includes(null) ? [`${valueText('p', property)} IS NOT NULL`] : []),
  ];
  const values = 'count(DISTINCT shown_value) + CAST(count(*) > count(shown_value) AS INTEGER) AS vals';
  const value = `${valueText('p', property)} AS shown_value, `;
  return {
    ...propertyRows(element, value, ...isOther, eventCondition(filter, 'p.event_id')),
    number: number === 'events' ? 'count(*) AS events' : values,
  };
}

function valueText(table: string, property: string): string {
  return `CAST(${table}.${duckdb.identifiers.quote(property)} AS VARCHAR)`;
}

/** Events of an element with their properties (`p`). @param columns SQL of further columns before the properties; of equal names the first one is used */
function propertyRows(
  element: number,
  columns: string,
  ...conditions: readonly (string | undefined)[]
): Omit<Counted, 'number'> {
  return {
    rows: `SELECT v.id AS event_id, v.time, v.activity, v.entity_id, ${columns}p.* EXCLUDE (event_id)
FROM ${propertiesTable(element)} AS p JOIN event AS v ON v.id = p.event_id
${whereSql(noEnd('v'), ...conditions)}`,
    events: ['event_id'],
    entities: ['entity_id'],
    readable: 'SELECT * FROM counted ORDER BY event_id',
  };
}

/** Entities that rows of an element name, without own events and master data. */
function namedOnly({
  element,
  qualifier,
  entityType,
  masterData,
}: Extract<ShownNumber, { kind: 'namedOnly' }>): Counted {
  const conditions = [
    `e.entity_type = ${quote(entityType)}`,
    `NOT EXISTS (SELECT 1 FROM event AS own WHERE own.entity_id = e.id)`,
    ...masterData.map(
      (entry) => `NOT EXISTS (SELECT 1 FROM ${entityPropertiesTable(entry)} AS p WHERE p.entity_id = e.id)`,
    ),
    `ee.qualifier = ${quote(qualifier)}`,
    `v.element = ${quote(element)}`,
  ];
  return {
    rows: `SELECT ee.event_id, ee.entity_id
FROM event_entity AS ee JOIN entity AS e ON e.id = ee.entity_id JOIN event AS v ON v.id = ee.event_id
WHERE ${conditions.join('\n  AND ')}`,
    ...readablePairs,
    number: 'count(DISTINCT entity_id) AS entities',
  };
}

/** Relations whose end has events within a span of time, with these events. */
function youngerEnds({
  relationship,
  end,
  element,
  after,
  until,
}: Extract<ShownNumber, { kind: 'youngerEnds' }>): Counted {
  return {
    rows: `SELECT r.source_entity_id, r.target_entity_id, v.id AS event_id, v.time
FROM relation AS r JOIN event AS v ON v.entity_id = r.${end === 'source' ? 'source' : 'target'}_entity_id
WHERE r.relationship = ${quote(relationship)} AND v.element = ${quote(element)}
  AND v.time > ${timeLiteral(after)} AND v.time <= ${timeLiteral(until)}`,
    number: 'count(DISTINCT (source_entity_id, target_entity_id)) AS relations',
    events: ['event_id'],
    entities: ['source_entity_id', 'target_entity_id'],
    readable: `SELECT s.entity_type AS source_type, s.key AS source_key, t.entity_type AS target_type, t.key AS target_key, counted.event_id, counted.time
FROM counted JOIN entity AS s ON s.id = counted.source_entity_id JOIN entity AS t ON t.id = counted.target_entity_id
ORDER BY counted.event_id, s.id, t.id`,
  };
}

function timeLiteral(time: string): string {
  return `CAST(${quote(time)} AS TIMESTAMP)`;
}

/** The rows of any table of the graph. Only tables that the page counts have ids to open. */
function countedInTable(table: string): Counted {
  const known = Object.entries(countedTables).find(([, name]) => name === table);
  if (known) return countedInAll(known[0] as keyof typeof countedTables);
  const rows = `SELECT * FROM ${duckdb.identifiers.quote(table)}`;
  const isOfEntities = entryOf('entity_properties_<n>', table) ?? entryOf('entity_values_<n>', table);
  return { rows, number: 'count(*) AS n', events: [], entities: isOfEntities === undefined ? [] : ['entity_id'] };
}

function countedInRows(table: 'entity' | 'relation', condition: string): Counted {
  return { ...countedInTable(table), rows: `SELECT * FROM ${table} WHERE ${condition}` };
}

/** The columns with ids of the tables whose rows are counted as a whole. */
const idsInAll: { readonly [Total in keyof typeof countedTables]: Pick<Counted, 'events' | 'entities'> } = {
  events: { events: ['id'], entities: ['entity_id'] },
  entities: { events: [], entities: ['id'] },
  correlations: { events: ['event_id'], entities: ['entity_id'] },
  relations: { events: [], entities: ['source_entity_id', 'target_entity_id'] },
  directlyFollows: { events: ['source_event_id', 'target_event_id'], entities: ['entity_id'] },
};

function countedInAll(total: keyof typeof countedTables): Counted {
  return { rows: `SELECT * FROM ${countedTables[total]}`, number: 'count(*) AS n', ...idsInAll[total] };
}
