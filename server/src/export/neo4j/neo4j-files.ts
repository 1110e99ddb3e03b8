import type { ValueType } from '../../graph-schema/value-type.ts';
import type { ElementProperty, ElementTable } from '../element-tables.ts';
import { floatText } from '../float-text.ts';
import type { MasterDataTable } from '../master-data-tables.ts';
import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
import { writableTime } from '../writable-time.ts';

/** A CSV file for `neo4j-admin database import`, also read by the Cypher script. */
export interface Neo4jFile {
  readonly name: string;
  readonly kind: 'nodes' | 'relationships';
  readonly label: 'Event' | 'Entity' | 'CORR' | 'DF' | 'REL';
  readonly columns: readonly Neo4jColumn[];
  /** SQL after the SELECT columns. */
  readonly from: string;
}

export interface Neo4jColumn {
  /** Property name; for columns that refer to a node, its id property. */
  readonly property: string;
  /** Header of the column: `name:type`. */
  readonly header: string;
  readonly role: 'id' | 'start' | 'end' | 'value';
  /** Label of the referenced node. */
  readonly space?: 'Event' | 'Entity';
  readonly type: Neo4jType;
  readonly sql: string;
}

export type Neo4jType = 'string' | 'long' | 'double' | 'boolean' | 'datetime';

const typeOf: Readonly<Record<ValueType, Neo4jType>> = {
  string: 'string',
  integer: 'long',
  float: 'double',
  boolean: 'boolean',
  time: 'datetime',
};

const event = { property: 'eventId', space: 'Event', type: 'string' } as const;
const entity = { property: 'entityId', space: 'Entity', type: 'string' } as const;

/** The files of a graph: entities (one file for each entry of `entities` with properties), events of each element with their properties, and relationships. */
export function neo4jFiles(
  elements: readonly ElementTable[],
  masterData: readonly MasterDataTable[] = [],
): readonly Neo4jFile[] {
  const withProperties = masterData.filter(({ properties }) => properties.length > 0);
  return [
    {
      name: 'entities.csv',
      kind: 'nodes',
      label: 'Entity',
      columns: entityColumns('entity.'),
      from: `FROM entity${notIn(withProperties)} ORDER BY entity.id`,
    },
    ...withProperties.map((_, index) => entitiesFile(withProperties, index)),
    ...elements.map((element, index) => eventsFile(element, index + 1)),
    {
      name: 'corr.csv',
      kind: 'relationships',
      label: 'CORR',
      columns: [
        { ...event, header: ':START_ID(Event)', role: 'start', sql: 'event_id' },
        { ...entity, header: ':END_ID(Entity)', role: 'end', sql: 'entity_id' },
        value('qualifier', 'string', 'qualifier'),
      ],
      from: 'FROM event_entity ORDER BY event_id, entity_id, qualifier',
    },
    {
      name: 'df.csv',
      kind: 'relationships',
      label: 'DF',
      columns: [
        { ...event, header: ':START_ID(Event)', role: 'start', sql: 'source_event_id' },
        { ...event, header: ':END_ID(Event)', role: 'end', sql: 'target_event_id' },
        value('EntityType', 'string', 'entity.entity_type'),
        value('ID', 'string', 'entity.key'),
      ],
      from: 'FROM directly_follows JOIN entity ON entity.id = entity_id ORDER BY entity_id, source_event_id',
    },
    {
      name: 'rel.csv',
      kind: 'relationships',
      label: 'REL',
      columns: [
        { ...entity, header: ':START_ID(Entity)', role: 'start', sql: 'source_entity_id' },
        { ...entity, header: ':END_ID(Entity)', role: 'end', sql: 'target_entity_id' },
        value('Type', 'string', 'relationship'),
      ],
      from: 'FROM relation ORDER BY relationship, source_entity_id, target_entity_id',
    },
  ];
}

function entityColumns(qualifier: string): readonly Neo4jColumn[] {
  return [
    { ...entity, header: 'entityId:ID(Entity)', role: 'id', sql: `${qualifier}id` },
    value('ID', 'string', `${qualifier}key`),
    value('EntityType', 'string', `${qualifier}entity_type`),
    value('uID', 'string', `${qualifier}entity_type || ${qualifier}key`),
  ];
}

/** Each entity is in one file: if several entries have its type, in that of the first one, with the properties of all of them. */
function entitiesFile(masterData: readonly MasterDataTable[], index: number): Neo4jFile {
  const { entityType } = masterData[index] ?? {};
  const own = masterData.slice(index).filter((other, at) => at === 0 || other.entityType === entityType);
  const taken = new Set(['entityid', 'id', 'entitytype', 'uid']);
  const properties = own.flatMap((each, at) =>
    each.properties.map((property) =>
      value(freeName(property.name, taken), typeOf[property.valueType], propertySql(property, `held_${at}`)),
    ),
  );
  const joins = own.map(
    ({ table }, at) =>
      `${at === 0 ? '' : 'LEFT '}JOIN ${quoteIdentifier(table)} AS held_${at} ON held_${at}.entity_id = entity.id`,
  );
  return {
    name: `entities_${index + 1}.csv`,
    kind: 'nodes',
    label: 'Entity',
    columns: [...entityColumns('entity.'), ...properties],
    from: `FROM entity ${joins.join(' ')}${notIn(masterData.slice(0, index))} ORDER BY entity.id`,
  };
}

function notIn(masterData: readonly MasterDataTable[]): string {
  const tests = masterData.map(({ table }) => `entity.id NOT IN (SELECT entity_id FROM ${quoteIdentifier(table)})`);
  return tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`;
}

function eventsFile({ activityName, table, properties }: ElementTable, number: number): Neo4jFile {
  const fixed = [
    value('Activity', 'string', 'event.activity'),
    value('timestamp', 'datetime', 'event.time'),
    value('lifecycle', 'string', 'event.lifecycle'),
    value('element', 'string', 'event.element'),
  ];
  const taken = new Set(['eventid', ...fixed.map(({ property }) => property.toLowerCase())]);
  const own = properties.map((property) =>
    value(freeName(property.name, taken), typeOf[property.valueType], propertySql(property, 'held')),
  );
  return {
    name: `events_${number}.csv`,
    kind: 'nodes',
    label: 'Event',
    columns: [{ ...event, header: 'eventId:ID(Event)', role: 'id', sql: 'event.id' }, ...fixed, ...own],
    from: `FROM event JOIN ${quoteIdentifier(table)} AS held ON held.event_id = event.id
      WHERE event.element = ${quoteLiteral(activityName, 'duckdb')} ORDER BY event.id`,
  };
}

function propertySql(property: ElementProperty, alias: string): string {
  const column = `${alias}.${quoteIdentifier(property.name)}`;
  return property.valueType === 'float' ? floatText(column, property, { infinity: 'Infinity' }) : column;
}

function value(property: string, type: Neo4jType, sql: string): Neo4jColumn {
  const header = type === 'string' ? property : `${property}:${type}`;
  return { property, header, role: 'value', type, sql: type === 'datetime' ? writableTime(sql) : sql };
}

/**
 * In the header of the import a colon would begin a type, a bracket a group, a brace options. cypher-shell takes the character after a backslash for
 * an escaped one, in names too.
 */
function freeName(name: string, taken: Set<string>): string {
  const plain = name.replaceAll(/[:(){}\\]/g, '_');
  let free = plain;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${plain}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}
