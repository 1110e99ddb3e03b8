import { entityEventView, type NamedViews } from '../../graph-schema/named-views.ts';
import { entityPropertiesTable, propertiesTable } from '../../graph-schema/table-names.ts';
import type { JudgedGraphTables, PropertyTable } from '../../rule-kinds/judged-tables.ts';
import { judgedColumn, propertyValuesSql } from '../../rule-kinds/property-values-sql.ts';
import type { BuildDialect } from './build-dialect.ts';
import { distinctNames } from './properties.ts';

/** Columns of properties, as a table of the graph has them. */
export type PropertyColumns = readonly { readonly name: string; readonly type: string }[];

/** What views that are named after types and elements show. */
export interface ViewedGraph {
  readonly dialect: BuildDialect;
  readonly names: NamedViews;
  /** `entityType` is that of the own entities of its events, if they have any. */
  readonly elements: readonly {
    readonly number: number;
    readonly entityType: string | undefined;
    readonly properties: PropertyColumns;
  }[];
  readonly entities: readonly {
    readonly number: number;
    readonly entityType: string;
    readonly properties: PropertyColumns;
  }[];
}

/** The statements that create them. They are metadata: rows are read when a view is. */
export function createNamedViewsSql(viewed: ViewedGraph): readonly { readonly name: string; readonly sql: string }[] {
  const { dialect, names, elements } = viewed;
  const graph = tablesIn(dialect);
  const create = (name: string, select: string): { readonly name: string; readonly sql: string } => ({
    name,
    sql: `CREATE VIEW ${dialect.graph}.${dialect.identifiers.quote(name)} AS ${select}`,
  });
  const ofElements = names.ofElements.flatMap(({ name, number }) =>
    elements.filter((element) => element.number === number).map((element) => create(name, eventsSql(element, graph))),
  );
  return [
    ...names.ofTypes.map(({ name, entityType }) => create(name, entitiesSql(entityType, viewed, graph))),
    ...ofElements,
    create(entityEventView, entityEventSql(graph)),
  ];
}

function tablesIn({ graphInViews, ...dialect }: BuildDialect): JudgedGraphTables {
  return {
    dialect,
    table: (name) => `${graphInViews}.${name}`,
    properties: [],
    entityTypes: [],
    hasCorrelations: true,
  };
}

/** The entities of a type, with the last known values of their properties. */
function entitiesSql(entityType: string, { elements, entities }: ViewedGraph, graph: JudgedGraphTables): string {
  const { dialect, table } = graph;
  const { quote, key } = dialect.identifiers;
  const properties = [
    ...elements.filter((each) => each.entityType === entityType).map((each) => propertiesOf(each, true)),
    ...entities.filter((each) => each.entityType === entityType).map((each) => propertiesOf(each, false)),
  ].filter((each) => each.properties.length > 0);
  const names = [
    ...new Map(
      properties.flatMap((each) => each.properties.map((name): [string, string] => [key(name), name])).toReversed(),
    ).values(),
  ].toReversed();
  const isOfType = `entity_type = ${dialect.literals.quote(entityType)}`;
  const judged = 'judged_entity';
  const values = propertyValuesSql(
    { ...graph, properties },
    { of: 'entity', judged, sql: names.map(quote).join(', ') },
  );
  const fixed = ['entity_id', 'key', 'first', 'last', 'events', 'throughput'];
  const shown = distinctNames(names, fixed);
  const milliseconds = millisecondsSql('life.began', 'life.ended', graph);
  const columns = [
    'entity.id AS entity_id',
    'entity.key',
    `life.began AS ${quote('first')}`,
    `life.ended AS ${quote('last')}`,
    'coalesce(life.events, 0) AS events',
    `${milliseconds} AS throughput`,
    ...names.map((name, index) => `known.${quote(name)} AS ${quote(shown[index] ?? name)}`),
  ];
  const known =
    names.length === 0
      ? ''
      : `\n  JOIN (\n  WITH ${judged} AS (SELECT id AS judged FROM ${table('entity')} WHERE ${isOfType})\n${values}\n  ) AS known ON known.${judgedColumn} = entity.id`;
  return `SELECT ${columns.join(', ')}
  FROM ${table('entity')} AS entity LEFT JOIN (
    SELECT pair.entity_id, min(event.time) AS began, max(event.time) AS ended, count(*) AS events
    FROM (SELECT DISTINCT event_id, entity_id FROM ${table('event_entity')}) AS pair JOIN ${table('event')} AS event ON event.id = pair.event_id
    GROUP BY pair.entity_id
  ) AS life ON life.entity_id = entity.id${known}
  WHERE entity.${isOfType}`;
}

function propertiesOf(
  { number, properties }: { readonly number: number; readonly properties: PropertyColumns },
  isOfEvents: boolean,
): PropertyTable {
  return {
    name: isOfEvents ? propertiesTable(number) : entityPropertiesTable(number),
    isOfEvents,
    properties: properties.map(({ name }) => name),
    types: properties.map(({ type }) => type),
  };
}

/** The events of an element, with their own entity and their properties. */
function eventsSql(
  { number, properties }: { readonly number: number; readonly properties: PropertyColumns },
  { dialect, table }: JudgedGraphTables,
): string {
  const { quote } = dialect.identifiers;
  const fixed = ['event_id', 'activity', 'lifecycle', 'time', 'entity_id', 'key'];
  const names = properties.map(({ name }) => name);
  const shown = distinctNames(names, fixed);
  const columns = [
    'event.id AS event_id',
    'event.activity',
    'event.lifecycle',
    'event.time',
    'event.entity_id',
    'entity.key',
    ...names.map((name, index) => `properties.${quote(name)} AS ${quote(shown[index] ?? name)}`),
  ];
  return `SELECT ${columns.join(', ')}
  FROM ${table(propertiesTable(number))} AS properties JOIN ${table('event')} AS event ON event.id = properties.event_id
  LEFT JOIN ${table('entity')} AS entity ON entity.id = event.entity_id`;
}

/** The events of each entity in their order, without ends. */
function entityEventSql(graph: JudgedGraphTables): string {
  const { dialect, table } = graph;
  const { quote } = dialect.identifiers;
  const inOrder = 'OVER (PARTITION BY pair.entity_id ORDER BY pair.event_id)';
  const previous = `lag(event.time) ${inOrder}`;
  return `SELECT entity_id, entity_type, key, ${quote('rank')}, event_id, activity, lifecycle, time, ${millisecondsSql('previous', 'time', graph)} AS since_previous
  FROM (
    SELECT pair.entity_id, entity.entity_type, entity.key, row_number() ${inOrder} AS ${quote('rank')}, pair.event_id, event.activity, event.lifecycle, event.time, ${previous} AS previous
    FROM (SELECT DISTINCT event_id, entity_id FROM ${table('event_entity')}) AS pair
    JOIN ${table('event')} AS event ON event.id = pair.event_id JOIN ${table('entity')} AS entity ON entity.id = pair.entity_id
    WHERE event.lifecycle <> 'end'
  ) AS placed`;
}

function millisecondsSql(began: string, ended: string, { dialect }: JudgedGraphTables): string {
  const { microseconds } = dialect.build.judging;
  return `CAST(${microseconds(ended)} - ${microseconds(began)} AS DOUBLE PRECISION) / 1000`;
}
